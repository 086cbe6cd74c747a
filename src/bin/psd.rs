use nalgebra::Vector3;
use zerostokes::balance::field::*;
use zerostokes::hydro;
use zerostokes::laws::*;
fn main() {
    for ratio in [1.0f64, 1.4, 3.0, 9.9] {
        for gap in [1e-6, 1e-3, 0.1, 0.3, 0.5, 1.0, 2.0, 10.0] {
            let radii = [1.0, ratio];
            let f = Field {
                viscosity: 1.0,
                range: f64::INFINITY,
                inner_gap: 0.0,
                ending: Ending::Truncated,
                reach: Reach::Relative,
            };
            let p =
                Pair { radii, normal: Vector3::x(), distance: 1.0 + ratio + gap, gap, step: 0.0 };
            let a = f.around(&p).unwrap();
            let s = hydro::singular(radii, gap);
            let r = a.resistance;
            println!(
                "{ratio} {gap:e} sq {:.4} sl {:.4} sr {:.4} ro {:.4} tw {:.5} | {:?} | {:?}",
                s.squeeze + r.squeeze,
                s.slide + r.slide,
                s.slide_roll + r.slide_roll,
                s.roll + r.roll,
                s.twist + r.twist,
                a.by_strain,
                a.stresslet
            );
        }
    }
}
