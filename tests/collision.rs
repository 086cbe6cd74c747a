//! Lubricated collisions with inertia against an independent program, and what Nijssen, Ottens &
//! Padding 2023 and the balance of momentum in the film say of them.

mod common;
#[path = "common/program.rs"]
mod program;

use common::case;
use program::{complaint, scratch, shipped, zerostokes};
use zerostokes::study::collision::motion::{Ending, Setting};
use zerostokes::study::collision::{Collision, Material, Partner, critical_stokes, released};

fn of(material: Material, stokes: f64) -> Collision {
    Collision { material, stokes, ..Collision::default() }
}

fn restitution(given: &Collision) -> f64 {
    let setting = Setting::new(given);
    setting.restitution(&setting.run())
}

#[test]
fn restitution_and_smallest_gap_are_those_of_an_independent_program() {
    let table = include_str!("reference/collision_restitution.csv");
    let mut compared = 0;
    for line in table.lines().filter(|line| !line.starts_with(['#', 'm'])) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().unwrap();
        let material = Material::ALL.into_iter().find(|m| m.name() == cells[0]).unwrap();
        let mut given = Collision { viscosity: number(3), ..of(material, number(1)) };
        given.given.roughness = Some(number(2));
        let setting = Setting::new(&given);
        let impact = setting.run();
        let found = setting.restitution(&impact);
        // Asked is 0.01; the default step does better.
        assert!((found - number(4)).abs() < 2e-4, "{line}: {found}");
        assert!((setting.law.approach / number(6) - 1.0).abs() < 1e-4, "{line}");
        if !cells[5].is_empty() {
            let off = (impact.min_gap - number(5)).abs();
            assert!(off < 2e-3 * number(5).abs().max(number(6)), "{line}: {}", impact.min_gap);
        }
        compared += 1;
    }
    assert_eq!(compared, 30);
}

#[test]
fn rebound_begins_at_the_critical_stokes_number() {
    let mut found = Vec::new();
    for material in Material::ALL {
        let given = of(material, 1.0);
        let estimate = Setting::new(&given).matter.critical_stokes();
        assert!((16.8..24.1).contains(&estimate), "{material:?}: {estimate}");
        let critical = critical_stokes(&given);
        assert!((critical / estimate - 1.0).abs() < 0.06, "{material:?}: {critical} {estimate}");
        for share in [0.1, 0.5, 0.9, 0.99] {
            assert_eq!(restitution(&of(material, share * critical)), 0.0, "{material:?} {share}");
        }
        assert!(restitution(&of(material, 1.02 * critical)) > 0.0, "{material:?}");
        found.push((material.properties().roughness, critical));
    }
    // Smoother surfaces come closer and lose more on their way.
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(found.windows(2).all(|pair| pair[0].1 > pair[1].1), "{found:?}");
}

#[test]
fn fast_collisions_are_dry_ones() {
    for material in Material::ALL {
        let e = [2e3, 1e4, 1e5].map(|stokes| restitution(&of(material, stokes)));
        assert!(e.windows(2).all(|pair| pair[0] < pair[1]), "{material:?}: {e:?}");
        assert!(e[0] > 0.955 && (e[2] - 0.97).abs() < 1e-3, "{material:?}: {e:?}");
    }
}

#[test]
fn rougher_spheres_keep_more_of_their_speed_and_smooth_ones_are_alike() {
    for stokes in [25.0, 50.0, 100.0, 300.0, 900.0] {
        let with = |roughness: f64| {
            let mut given = of(Material::Delrin, stokes);
            given.given.roughness = Some(roughness);
            restitution(&given)
        };
        let setting = Setting::new(&of(Material::Delrin, stokes));
        let deformed = setting.matter.deformation_gap(setting.normal_speed);
        let level = [1e-3, 0.1, 0.999].map(|share| with(share * deformed));
        assert!(level.iter().all(|e| *e == level[0]), "{stokes}: {level:?}");
        let rising: Vec<f64> =
            [1.0, 2.0, 5.0, 10.0, 30.0, 100.0].map(|share| with(share * deformed)).to_vec();
        assert!((rising[0] - level[0]).abs() < 1e-9, "{stokes}");
        assert!(rising.windows(2).all(|pair| pair[0] < pair[1]), "{stokes}: {rising:?}");
    }
}

#[test]
fn slow_spheres_never_touch() {
    for material in Material::ALL {
        for partner in [Partner::Sphere, Partner::Wall] {
            let setting = Setting::new(&Collision { partner, ..of(material, 1.0) });
            let impact = setting.run();
            assert!(!impact.touched && impact.ending == Some(Ending::Held));
            // All momentum is left in the film: ln(R*/h) = St.
            let expected = setting.matter.radius * (-1.0_f64).exp();
            assert!((impact.min_gap / expected - 1.0).abs() < 5e-4, "{}", impact.min_gap);
        }
    }
}

/// Surfaces that slide all the time: \\(\tan\theta' = (\tan\theta - \mu(1+e))/e\\) for the relative
/// velocity.
#[test]
fn grazing_spheres_slide_with_coulomb_friction() {
    for (material, partner) in
        [(Material::Steel1, Partner::Sphere), (Material::Glass, Partner::Wall)]
    {
        let given = Collision { partner, angle_deg: 75.0, ..of(material, 2e4) };
        let setting = Setting::new(&given);
        let impact = setting.run();
        let (e, friction) = (setting.restitution(&impact), setting.law.friction);
        let tangent = (75.0_f64.to_radians().tan() - friction * (1.0 + e)) / e;
        let found = setting.relative_angle(&impact);
        assert!((found - tangent.atan().to_degrees()).abs() < 0.1, "{material:?}: {found}");
        // The torque turns the sphere: 5/2 of the velocity lost sideways, over the radius. Levers
        // are shorter by the overlap, and two spheres turn about each other a little while they
        // touch.
        let allowed = if partner == Partner::Wall { 5e-3 } else { 3e-2 };
        let lost = setting.speed * 75.0_f64.to_radians().sin() - impact.bodies[0].motion.linear.y;
        let spin = impact.bodies[0].motion.angular.z.abs() * given.radius;
        assert!((spin / (2.5 * lost) - 1.0).abs() < allowed, "{material:?}: {spin} {lost}");
    }
}

#[test]
fn damped_collisions_leave_a_sphere_more_of_its_way_ahead() {
    let angle = |material: Material, stokes: f64, viscosity: f64| {
        let given = Collision { angle_deg: 30.0, viscosity, ..of(material, stokes) };
        let setting = Setting::new(&given);
        setting.rebound_angle(&setting.run())
    };
    let low = angle(Material::Steel1, 10.0, 0.06);
    let middle = angle(Material::Delrin, 100.0, 1e-3);
    let high = angle(Material::Steel1, 1500.0, 1e-3);
    assert!(low + 10.0 < middle && middle + 5.0 < high, "{low} {middle} {high}");
    // Held by the film, both go on with half the speed along the line of centres.
    let held = (2.0 * 30.0_f64.to_radians().tan()).atan().to_degrees();
    assert!((low - held).abs() < 1.0, "{low} {held}");
}

#[test]
fn spheres_without_inertia_stay_where_asperities_part() {
    for stokes in [10.0, 1000.0] {
        let text = format!("study = \"collision\"\n[collision]\nstokes = {stokes:?}\n");
        let rest = released(&case(&text)).unwrap();
        assert!(rest.restitution.abs() < 1e-6, "{rest:?}");
        assert!((rest.gap / 796e-9 - 1.0).abs() < 1e-6, "{rest:?}");
    }
}

#[test]
fn a_run_leaves_its_summary_and_its_figure() {
    let here = scratch("collision");
    let run = |out: &str, set: &str| {
        let file = shipped("collision.toml");
        let done = zerostokes(&here, &format!("run {} --out {out} {set}", file.display()));
        assert!(done.status.success(), "{}", complaint(&done));
        let summary = std::fs::read_to_string(here.join(out).join("summary.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&summary).unwrap()
    };
    let fast = run("fast", "--set collision.material=\"steel-1\" --set collision.angle_deg=20");
    let found = &fast["collision"];
    assert!(found["restitution"].as_f64().unwrap() > 0.7 && found["touched"] == true, "{found}");
    assert!(found["rebound_angle_deg"].as_f64().unwrap() > 20.0, "{found}");
    assert!(found["min_gap"].as_f64().unwrap() < 0.0, "{found}");
    assert!(found["energy_mismatch"].as_f64().unwrap().abs() < 1e-4, "{found}");
    let slow = run("slow", "--set collision.stokes=1");
    let found = &slow["collision"];
    assert!(found["restitution"] == 0.0 && found["touched"] == false, "{found}");
    assert!(found["min_gap"].as_f64().unwrap() > 1e-3, "{found}");
    let rows = std::fs::read_to_string(here.join("slow/timeseries.csv")).unwrap();
    assert!(rows.lines().count() > 100 && rows.starts_with("time,steps,step,gap,"));
    for file in ["fast/collision.svg", "fast/collision.png", "slow/collision.png"] {
        assert!(here.join(file).exists(), "{file}");
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_restitution_above_the_dry_one_is_beyond_the_law_and_is_told() {
    let here = scratch("collision-rough");
    let run = |out: &str, set: &str| {
        let file = shipped("collision.toml");
        let done = zerostokes(&here, &format!("run {} --out {out} {set}", file.display()));
        assert!(done.status.success(), "{}", complaint(&done));
        let summary = std::fs::read_to_string(here.join(out).join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        (summary["collision"]["restitution"].as_f64().unwrap(), complaint(&done))
    };
    let fast = "--set collision.stokes=2000";
    let (rough, said) = run("rough", &format!("{fast} --set collision.roughness=1e-4"));
    assert!(rough > 0.97 && said.contains("note: the restitution"), "{rough} {said}");
    let (usual, said) = run("usual", fast);
    assert!(usual < 0.97 && !said.contains("note:"), "{usual} {said}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn figures_of_one_material_name_it_and_none_has_raw_underscores() {
    let here = scratch("collision-figures");
    for (sweep, set, figure, words) in [
        ("collision_roughness_sweep.toml", "", "sweep.svg", "of delrin"),
        ("collision_gap_sweep.toml", "", "gaps.svg", "(delrin)"),
        ("collision_stokes_sweep.toml", "", "sweep.svg", "rebound from St = "),
    ] {
        let out = sweep.trim_end_matches(".toml");
        let file = shipped(sweep);
        let done =
            zerostokes(&here, &format!("sweep {} --quiet --out {out} {set}", file.display()));
        assert!(done.status.success(), "{}", complaint(&done));
        let svg = std::fs::read_to_string(here.join(out).join(figure)).unwrap();
        assert!(svg.contains(words) && !svg.contains("St_c"), "{sweep}");
    }
    std::fs::remove_dir_all(here).unwrap();
}
