use nalgebra::Vector3;
use std::time::Instant;
use zerostokes::balance::field::*;
use zerostokes::laws::lubrication::*;
use zerostokes::laws::*;
fn main() {
    let n = 200000;
    let pairs: Vec<Pair> = (0..n)
        .map(|k| {
            let gap = 1e-3 + 0.45 * ((k * 7919) % n) as f64 / n as f64;
            let radii = if k % 2 == 0 { [1.0, 1.4] } else { [1.0, 1.0] };
            Pair {
                radii,
                normal: Vector3::x(),
                distance: radii[0] + radii[1] + gap,
                gap,
                step: 0.01,
            }
        })
        .collect();
    let rates = Rates { squeeze: -0.01, ..Rates::default() };
    for film in [Film::Leading, Film::TwoBody] {
        let law = Lubrication {
            viscosity: 1.0,
            inner_gap: 1e-3,
            outer_gap: 0.5,
            cutoff: Cutoff::Smooth,
            film,
        };
        let t = Instant::now();
        let s: f64 = pairs.iter().map(|p| law.respond(p, &[], &rates).resistance.slide).sum();
        println!("{film:?} {:.0} ns {s}", t.elapsed().as_secs_f64() * 1e9 / n as f64);
    }
    for ending in [Ending::Truncated, Ending::Subtracted] {
        let f =
            Field { viscosity: 1.0, range: 0.5, inner_gap: 1e-3, ending, reach: Reach::Relative };
        let t = Instant::now();
        let s: f64 = pairs.iter().map(|p| f.around(p).unwrap().resistance.slide).sum();
        println!("{ending:?} {:.0} ns {s}", t.elapsed().as_secs_f64() * 1e9 / n as f64);
    }
}
