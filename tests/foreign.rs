//! The laws of LF_DEM and LAMMPS on configurations of their own.
//!
//! `formats/par_lf_dem_N200_phi0.50_strain2.dat` and `lf_dem_stress_strain2.csv` are a frame of
//! LF_DEM (commit 00fa7cc; φ = 0.5, no friction, k_n = 1e4) with 17 digits and the stress that it
//! found there, by parts, in its axes. `lammps/*.dump` are frames of LAMMPS (2022-01-06) at
//! St = 1e-2 with 17 digits, and `*_zero_stokes.*` what a dense solve of its laws by an independent
//! program gives on them at St = 0: velocities and spins relative to the flow, viscosity and
//! pressure.

mod common;

use std::path::{Path, PathBuf};

use common::case;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use zerostokes::analysis::mobility::{self, Mobility, Snapshot};
use zerostokes::balance::{affine_rates, mirror, rates, stokes_drag};
use zerostokes::integrate::PairSeen;
use zerostokes::laws::{Levers, Pair, PairForce, PairLaw, Rates, Resistance};
use zerostokes::record::{WhichFrame, read_frame};
use zerostokes::state::{Suspension, Velocity};
use zerostokes::stress::{n1, n2, pressure, shear};
use zerostokes::study::suspension;

/// A case whose particles do not matter.
const ANY: &str = "[particles]\ncount = 10\nvolume_fraction = 0.1\n";

fn reference(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name)
}

fn solve(file: &str, which: WhichFrame, rest: &str) -> Mobility {
    let path = reference(file);
    let read = read_frame(&path, which).unwrap_or_else(|e| panic!("{e}"));
    let case = case(&format!("{ANY}{rest}"));
    mobility::solve(&case, &Snapshot::new(&path, &read)).unwrap_or_else(|e| panic!("{e}"))
}

const FRAME: &str = "formats/par_lf_dem_N200_phi0.50_strain2.dat";
const LF_DEM: &str = "[lubrication]\nhydrodynamics = \"lf-dem\"\n";

fn within(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < share, "{what}: {found} for {expected}");
}

#[test]
fn lf_dem_is_met_on_a_frame_of_its_own() {
    let found = solve(FRAME, WhichFrame::Last, LF_DEM);
    let total = found.seen.stress.total();
    within(shear(&total), 12.966_164_747_9 + 2.5 * 0.5, 5e-3, "viscosity");
    within(pressure(&total), 9.058_265_182_02, 5e-3, "pressure");
    within(n1(&total), -1.798_113_385_35, 2e-2, "N1");
    within(n2(&total), -2.798_098_228_52, 2e-2, "N2");
    let comparison = found.comparison.expect("velocities in the file");
    let (velocity, spin) = (comparison.velocity.unwrap(), comparison.spin.unwrap());
    assert!(velocity.rms < 1e-2, "{}", velocity.rms);
    // What the flow drives in dashpots turns spheres a little otherwise there.
    assert!(spin.rms < 5e-2, "{}", spin.rms);
}

/// A pair of a frame, and what its film and its spring do.
struct Film {
    ids: [usize; 2],
    pair: Pair,
    film: Resistance,
    dashpot: Resistance,
    spring: f64,
}

impl Film {
    fn new(seen: &PairSeen, state: &Suspension, law: &dyn PairLaw, spring: f64) -> Self {
        let ids = seen.ids.slots();
        let radii = ids.map(|k| state.radii[k]);
        let pair = Pair { radii, normal: seen.normal, gap: seen.gap, ..Pair::default() };
        let pair = Levers::OfRadii.see(pair);
        let all = law.respond(&pair, &[], &Rates::default()).resistance;
        let dashpot = if seen.gap < 0.0 { all } else { Resistance::default() };
        Film { ids, pair, film: all - dashpot, dashpot, spring }
    }

    fn moment(&self, force: &PairForce) -> Matrix3<f64> {
        let acting = force.normal * self.pair.normal + force.shear;
        let moment = self.pair.distance * acting * self.pair.normal.transpose();
        0.5 * (moment + moment.transpose())
    }
}

/// The pairs of a frame.
fn films(found: &Mobility) -> Vec<Film> {
    let (state, case) = (&found.state, case(&format!("{ANY}{LF_DEM}")));
    let setup = suspension::setup(&case, state);
    let [law, contact] = [&setup.laws[0], &setup.laws[1]];
    let spring = |seen: &PairSeen| {
        let radii = seen.ids.slots().map(|k| state.radii[k]);
        let pair = Pair { radii, gap: seen.gap, ..Pair::default() };
        contact.respond(&pair, &[], &Rates::default()).at_rest.normal
    };
    found.pairs.iter().map(|p| Film::new(p, state, law.as_ref(), spring(p))).collect()
}

/// The resistance of drag and films as a dense matrix, column by column.
fn matrix(films: &[Film], radii: &[f64]) -> DMatrix<f64> {
    let n = 6 * radii.len();
    let mut matrix = DMatrix::zeros(n, n);
    for (k, radius) in radii.iter().enumerate() {
        let [slow, turn] = stokes_drag(1.0, *radius);
        (0..3).for_each(|c| matrix[(6 * k + c, 6 * k + c)] += slow);
        (3..6).for_each(|c| matrix[(6 * k + c, 6 * k + c)] += turn);
    }
    for film in films {
        for column in 0..12 {
            let mut moves = [Velocity::default(); 2];
            let to = &mut moves[column / 6];
            match column % 6 {
                k if k < 3 => to.linear[k] = 1.0,
                k => to.angular[k - 3] = 1.0,
            }
            let rates = rates(&film.pair.normal, film.pair.levers(), &moves[0], &moves[1]);
            let force = film.film.force(&rates) + film.dashpot.force(&rates);
            let from = 6 * film.ids[column / 6] + column % 6;
            let mut column = matrix.column_mut(from);
            add(column.as_mut_slice(), film, &(force * -1.0));
        }
    }
    matrix
}

/// Adds the forces and torques of a pair force.
fn add(to: &mut [f64], film: &Film, force: &PairForce) {
    let m = mirror(&film.pair.normal, film.pair.levers(), force);
    for (side, linear) in [m.force, -m.force].iter().enumerate() {
        for k in 0..3 {
            to[6 * film.ids[side] + k] += linear[k];
            to[6 * film.ids[side] + 3 + k] += m.torques[side][k];
        }
    }
}

fn motion(velocities: &DVector<f64>, k: usize) -> Velocity {
    let of = |at: usize| Vector3::from_fn(|c, _| velocities[6 * k + at + c]);
    Velocity { linear: of(0), angular: of(3) }
}

/// The stress of a part in LF_DEM's axes: there z is y here, and y is −z here.
fn part(name: &str) -> Matrix3<f64> {
    let table = std::fs::read_to_string(reference("lf_dem_stress_strain2.csv")).unwrap();
    let line = table.lines().find(|line| line.starts_with(&format!("{name},"))).unwrap();
    let numbers: Vec<f64> = line.split(',').skip(1).map(|x| x.parse().unwrap()).collect();
    let [xx, xy, xz, yz, yy, zz] = numbers[..].try_into().unwrap();
    Matrix3::new(xx, xz, -xy, xz, zz, -yz, -xy, -yz, yy)
}

/// The root mean square of velocities less those in three columns of the file, over these.
fn apart_from_file(velocities: &DVector<f64>, column: usize) -> f64 {
    let text = std::fs::read_to_string(reference(FRAME)).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let (mut off, mut size) = (0.0, 0.0);
    for (k, row) in rows.enumerate() {
        let numbers: Vec<f64> = row.split_whitespace().map(|x| x.parse().unwrap()).collect();
        let there = Vector3::new(numbers[column], numbers[column + 2], -numbers[column + 1]);
        off += (motion(velocities, k).linear - there).norm_squared();
        size += there.norm_squared();
    }
    (off / size).sqrt()
}

#[test]
fn the_parts_of_the_stress_and_of_the_velocities_of_lf_dem_are_met() {
    // Assembled apart from the program: drag and films as a dense matrix, and one solve for what
    // the strain drives in films, what it drives in dashpots, and what springs drive. In stresses
    // that velocities drive LF_DEM counts films, and all of dashpots with the forces of contacts.
    let found = solve(FRAME, WhichFrame::Last, LF_DEM);
    let (state, films) = (&found.state, films(&found));
    let strain = found.drive.strain_rate();
    let factor = matrix(&films, &state.radii).lu();
    let n = 6 * state.len();
    let driven = |force: &dyn Fn(&Film) -> PairForce| {
        let mut sum = DVector::zeros(n);
        films.iter().for_each(|film| add(sum.as_mut_slice(), film, &force(film)));
        factor.solve(&sum).expect("a resistance")
    };
    let affine = |film: &Film| affine_rates(&film.pair, &strain);
    let by_film = |film: &Film| film.film.force(&affine(film));
    let by_dashpot = |film: &Film| film.dashpot.force(&affine(film));
    let by_spring = |film: &Film| PairForce { normal: film.spring, ..PairForce::default() };
    let volume = state.cell.volume().unwrap();
    let stress = |force: &dyn Fn(&Film) -> PairForce| -> Matrix3<f64> {
        films.iter().map(|film| film.moment(&force(film))).sum::<Matrix3<f64>>() / volume
    };
    let carried = |velocities: &DVector<f64>, resistance: &dyn Fn(&Film) -> Resistance| {
        stress(&|film| {
            let [i, j] = film.ids.map(|k| motion(velocities, k));
            let rates = rates(&film.pair.normal, film.pair.levers(), &i, &j);
            resistance(film).force(&rates)
        })
    };
    let [hydro, dashpot, contact] = [driven(&by_film), driven(&by_dashpot), driven(&by_spring)];
    let all = &hydro + &dashpot + &contact;
    for (name, velocities, column) in [("contact", &contact, 14), ("hydro", &hydro, 26)] {
        let off = apart_from_file(velocities, column);
        assert!(off < 1e-9, "velocities of {name}: {off:e}");
    }
    assert!(apart_from_file(&dashpot, 20) < 1e-2);
    for (name, velocities, column) in [("contact", &contact, 17), ("hydro", &hydro, 29)] {
        let spins = DVector::from_fn(n, |k, _| if k % 6 < 3 { velocities[k + 3] } else { 0.0 });
        let off = apart_from_file(&spins, column);
        assert!(off < 1e-9, "spins of {name}: {off:e}");
    }
    let film = |film: &Film| film.film;
    let dash = |film: &Film| film.dashpot;
    let pushed = stress(&by_spring) + stress(&by_dashpot) + carried(&all, &dash);
    for (name, here) in [
        ("M_E_hydro", stress(&by_film)),
        ("hydro", carried(&hydro, &film)),
        ("dashpot", carried(&dashpot, &film)),
        ("contact", carried(&contact, &film)),
        ("xF_contact", pushed),
    ] {
        let off = (here - part(name)).norm() / part(name).norm();
        assert!(off < 1e-2, "{name}: {off:e}\n{here}{}", part(name));
    }
}

/// Velocities and spins of the independent solve at a step, and its viscosity and pressure.
fn zero_stokes(name: &str, step: u32) -> (Vec<[f64; 6]>, [f64; 2]) {
    let table = std::fs::read_to_string(reference(&format!("lammps/{name}_zero_stokes.csv")));
    let table = table.unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix(&format!("{step},")));
    let row = |row: &str| -> [f64; 6] {
        let numbers: Vec<f64> = row.split(',').skip(1).map(|x| x.parse().unwrap()).collect();
        numbers[..].try_into().unwrap()
    };
    let json = std::fs::read_to_string(reference(&format!("lammps/{name}_zero_stokes.json")));
    let json: serde_json::Value = serde_json::from_str(&json.unwrap()).unwrap();
    let here = json.as_array().unwrap().iter().find(|frame| frame["step"] == step).unwrap();
    let number = |key: &str| here[key].as_f64().unwrap();
    (rows.map(row).collect(), [number("eta_sym"), number("Pi")])
}

/// The root mean square of the differences, over that of the velocities, and the same of spins.
fn apart(found: &Mobility, expected: &[[f64; 6]]) -> [f64; 2] {
    let (mut off, mut size) = ([0.0; 2], [0.0; 2]);
    for (here, there) in found.state.velocities.iter().zip(expected) {
        let (u, w) =
            (Vector3::from_column_slice(&there[..3]), Vector3::from_column_slice(&there[3..]));
        for (k, (a, b)) in [(here.linear, u), (here.angular, w)].into_iter().enumerate() {
            off[k] += (a - b).norm_squared();
            size[k] += b.norm_squared();
        }
    }
    [0, 1].map(|k| (off[k] / size[k]).sqrt())
}

fn lammps_is_met(name: &str, model: &str) {
    for (frame, step) in [(1, 40_000), (2, 100_000), (3, 200_000)] {
        let rest = format!(
            "[lubrication]\nhydrodynamics = \"{model}\"\ninner_gap = 0.01\n[contact]\nstiffness = 2e4\n"
        );
        let file = format!("lammps/{name}.dump");
        let found = solve(&file, WhichFrame::Number(frame), &rest);
        let (expected, [eta, pi]) = zero_stokes(name, step);
        assert_eq!(expected.len(), found.state.len());
        let [velocities, spins] = apart(&found, &expected);
        assert!(velocities < 1e-6 && spins < 1e-6, "{step}: {velocities:e} {spins:e}");
        let total = found.seen.stress.total();
        within(shear(&total), eta, 1e-6, "viscosity");
        within(pressure(&total), pi, 1e-6, "pressure");
    }
}

#[test]
fn lammps_is_met_between_equal_spheres() {
    lammps_is_met("mono_St1e-2", "lammps-lubricate");
}

#[test]
fn lammps_is_met_between_unequal_spheres_whose_forces_are_not_reciprocal() {
    lammps_is_met("bi_St1e-2", "lammps-lubricate-poly");
}

#[test]
fn a_law_that_is_not_reciprocal_is_refused_in_runs_and_unequal_spheres_by_one_for_equal_ones() {
    let rest = "[lubrication]\nhydrodynamics = \"lammps-lubricate-poly\"\n";
    let refused = suspension::initial(&case(&format!("{ANY}{rest}"))).unwrap_err();
    assert!(refused.to_string().contains("not reciprocal"), "{refused}");
    assert_eq!(refused.exit_code(), 2);
    let rest = "[lubrication]\nhydrodynamics = \"lammps-lubricate\"\n";
    let refused = suspension::initial(&case(&format!("{ANY}{rest}"))).unwrap_err();
    assert!(refused.to_string().contains("for equal spheres"), "{refused}");
}
