//! Rows of lubricated rough contacts (\[CBC20\]).

use super::bench::{FALLING_SPHERE, PAIR_SHEAR, Ran, set};
use super::reference::{self, Entry, entries};
use super::{Bench, Extent, Findings, Halt, Job, Measure, Model, Row, Tolerance};

/// Agreement asked of two spheres in shear with an independent program.
const SAME_MODEL: Tolerance = Tolerance::Relative(5e-3);

/// Where numbers of two spheres in shear come from.
const PROGRAM: &str = "a separate program, pair_shear_same_model.csv";

/// The jobs of this model.
pub fn jobs(extent: Extent) -> Vec<Job> {
    vec![
        smooth(),
        deep(),
        equilibrium(),
        overloaded(),
        inertial(),
        rigid(extent),
        erratum(),
        soft(extent),
        rough(extent),
        friction(),
    ]
}

fn row(what: impl Into<String>, tolerance: Tolerance) -> Row {
    Row::new(Model::Rough, what, tolerance)
}

fn smooth() -> Job {
    let row = row("falling sphere, smooth: rate of ln u [1/τ_c]", Tolerance::Relative(1e-4))
        .paper("-8/9")
        .note("from u = a to 1e-12 a; eq. 36");
    Job::new(vec![row], 1, 0.1, |bench| {
        let keys = [set("settle.roughness", 0.0), set("settle.gap", 1.0)];
        let ran = bench.run(FALLING_SPHERE, &keys)?;
        let reached = ran.number("/settle/final_gap") <= 1e-12;
        let rate = if reached { ran.number("/settle/decay_rate") } else { f64::NAN };
        Ok(vec![vec![Measure::new(-8.0 / 9.0, rate)]])
    })
    .source("closed form, eq. 36")
}

fn deep() -> Job {
    let rows = vec![
        row("  the same down to 1e-40 a", Tolerance::Relative(1e-4)).paper("-8/9"),
        row("  thickness reached [a]", Tolerance::Absolute(1e-40)),
    ];
    Job::new(rows, 1, 0.1, |bench| {
        let keys = [set("settle.roughness", 0.0), set("settle.end_gap", 1e-40)];
        let ran = bench.run(FALLING_SPHERE, &keys)?;
        // A film of no thickness would be none.
        let gap = Some(ran.number("/settle/final_gap")).filter(|u| *u > 0.0);
        Ok(vec![
            vec![Measure::new(-8.0 / 9.0, ran.number("/settle/decay_rate"))],
            vec![Measure::new(0.0, gap.unwrap_or(f64::NAN))],
        ])
    })
    .source("closed form, eq. 36: the film never ends")
}

/// eq. 37: \\(u = \varepsilon a - W/k_n = \varepsilon a(1 - 1/\mathcal K)\\).
fn equilibrium() -> Job {
    const CASES: [[f64; 2]; 3] = [[1e-3, 2.0], [1e-2, 10.0], [1e-4, 1.5]];
    let row = row("falling sphere, rough: equilibrium u/(εa)", Tolerance::Relative(1e-8))
        .paper("1 - 1/K");
    Job::new(vec![row], CASES.len(), 0.3, |bench| {
        let of = |[size, number]: [f64; 2]| {
            let keys = [set("settle.roughness", size), set("settle.contact_number", number)];
            let gap = bench.run(FALLING_SPHERE, &keys)?.number("/settle/final_gap");
            let case = format!("roughness {size:e}, contact number {number}");
            Ok(Measure::of(case, 1.0 - 1.0 / number, gap / size))
        };
        Ok(vec![CASES.into_iter().map(of).collect::<Result<_, Halt>>()?])
    })
    .source("closed form, eq. 37")
}

fn overloaded() -> Job {
    let row = row("falling sphere, K = 0.5: late rate of ln u", Tolerance::Relative(1e-3))
        .paper("-8/9 (1 - K)");
    Job::new(vec![row], 1, 0.1, |bench| {
        let ran = bench.run(FALLING_SPHERE, &[set("settle.contact_number", 0.5)])?;
        Ok(vec![vec![Measure::new(-4.0 / 9.0, ran.number("/settle/decay_rate"))]])
    })
    .source("closed form: the asperities bear K of the weight")
}

/// eq. 34 at a Stokes number at which it should not matter.
fn inertial() -> Job {
    let rows = vec![
        row("falling sphere, St 0.01: rate of ln u", Tolerance::Relative(1e-3)).paper("-8/9"),
        row("  equilibrium u/(εa), K = 2", Tolerance::Relative(1e-8)).paper("1 - 1/K"),
    ];
    Job::new(rows, 2, 0.3, |bench| {
        let little = set("inertia.stokes", 1e-2);
        let smooth = bench.run(FALLING_SPHERE, &[set("settle.roughness", 0.0), little.clone()])?;
        let borne = bench.run(FALLING_SPHERE, &[little])?;
        Ok(vec![
            vec![Measure::new(-8.0 / 9.0, smooth.number("/settle/decay_rate"))],
            vec![Measure::new(0.5, borne.number("/settle/final_gap") / 1e-3)],
        ])
    })
    .source("closed forms without inertia, eqs. 36 and 37")
}

/// Two spheres in shear as an entry of the table has them.
fn pass(bench: &Bench, entry: &Entry) -> Result<[Measure; 2], Halt> {
    let [offset, cutoff, size] = ["offset", "cutoff", "roughness"].map(|name| entry.number(name));
    let stiffness = entry.number("stiffness_kb");
    let mut keys = vec![
        set("pair.hydrodynamics", "lubrication"),
        set("pair.offset", offset),
        set("pair.start", entry.number("start")),
        set("pair.cutoff", cutoff),
        set("pair.roughness", size),
    ];
    let mut case = format!("offset {offset}, cut-off {cutoff}");
    if stiffness.is_finite() {
        keys.push(set("pair.stiffness", stiffness));
        keys.push(set("pair.tangential_ratio", entry.number("k_t") / stiffness));
        case += &format!(", stiffness {stiffness:e}");
    }
    if size > 0.0 {
        case += &format!(", roughness {size}");
    }
    let ran = bench.run(PAIR_SHEAR, &keys)?;
    let of = |name: &str| {
        Measure::of(case.clone(), entry.number(name), ran.number(&format!("/pair/{name}")))
    };
    Ok([of("min_gap"), of("final_offset")])
}

/// Runs the entries that `wanted` picks: smallest gaps and final offsets.
fn pass_all(bench: &Bench, wanted: impl Fn(&Entry) -> bool) -> Result<[Vec<Measure>; 2], Halt> {
    let (mut gaps, mut offsets) = (Vec::new(), Vec::new());
    for entry in entries(reference::PAIR_SHEAR).iter().filter(|entry| wanted(entry)) {
        let [gap, offset] = pass(bench, entry)?;
        gaps.push(gap);
        offsets.push(offset);
    }
    Ok([gaps, offsets])
}

fn rigid(extent: Extent) -> Job {
    const CUTOFFS: [f64; 3] = [1.0, 2.0, 4.0];
    let mut rows: Vec<Row> = CUTOFFS
        .map(|cutoff| row(format!("two spheres in shear, cut-off {cutoff}a: min gap"), SAME_MODEL))
        .to_vec();
    rows.push(row("  final offset", SAME_MODEL).paper("the initial"));
    let quick = extent == Extent::Quick;
    let runs = if quick { 3 } else { 12 };
    Job::new(rows, runs, 0.1 * runs as f64, move |bench| -> Findings {
        let (mut found, mut all_offsets) = (Vec::new(), Vec::new());
        for cutoff in CUTOFFS {
            let [gaps, offsets] = pass_all(bench, |entry| {
                entry.number("stiffness_kb").is_infinite()
                    && entry.number("cutoff") == cutoff
                    && (!quick || entry.number("offset") == 0.1)
            })?;
            found.push(gaps);
            all_offsets.extend(offsets);
        }
        found.push(all_offsets);
        Ok(found)
    })
    .source(PROGRAM)
}

fn erratum() -> Job {
    let row = row("  min gap at offset 0.01, cut-off 4 a", SAME_MODEL).paper("3e-5").note(
        "erratum: the paper's gap does not follow from its eq. 41; the same model gives 8.28e-2, \
         two-body hydrodynamics 4.34e-5",
    );
    Job::new(vec![row], 1, 0.1, |bench| {
        let [gaps, _] = pass_all(bench, |entry| {
            entry.number("stiffness_kb").is_infinite()
                && entry.number("cutoff") == 4.0
                && entry.number("offset") == 0.01
        })?;
        Ok(vec![gaps])
    })
    .source(PROGRAM)
}

/// Rows of smallest gap and final offset, named alike.
fn gap_and_offset(what: &str) -> Vec<Row> {
    vec![
        row(format!("two {what} spheres in shear: min gap"), SAME_MODEL),
        row("  final offset", SAME_MODEL),
    ]
}

fn soft(extent: Extent) -> Job {
    let quick = extent == Extent::Quick;
    let runs = if quick { 1 } else { 3 };
    Job::new(gap_and_offset("soft smooth"), runs, 0.1 * runs as f64, move |bench| {
        let wanted = |entry: &Entry| {
            let stiffness = entry.number("stiffness_kb");
            stiffness.is_finite()
                && entry.number("roughness") == 0.0
                && (!quick || stiffness == 1000.0)
        };
        Ok(pass_all(bench, wanted)?.to_vec())
    })
    .source(PROGRAM)
}

fn rough(extent: Extent) -> Job {
    let quick = extent == Extent::Quick;
    let runs = if quick { 1 } else { 3 };
    Job::new(gap_and_offset("rough"), runs, 0.1 * runs as f64, move |bench| {
        let wanted = |entry: &Entry| {
            let size = entry.number("roughness");
            size > 0.0 && (!quick || size == 0.15)
        };
        Ok(pass_all(bench, wanted)?.to_vec())
    })
    .source(PROGRAM)
}

/// Offset 0.1, and 0.5 out of plane, cut-off 4, ε = 0.12, k_n = k_b = 1e4, k_t = 0.3 k_b, friction
/// 0.5: final offsets and the time of x = 10, by a separate program. Without friction they would be
/// 0.3094206, 0.5094206 and 69.44923.
const WITH_FRICTION: [f64; 3] = [0.3102978, 0.5088869, 69.415396];

fn friction() -> Job {
    let tolerance = Tolerance::Relative(1e-4);
    let rows = vec![
        row("two rough spheres with friction 0.5: final offset", tolerance),
        row("  final offset out of plane", tolerance),
        row("  time from x = -10 a to 10 a", tolerance),
    ];
    Job::new(rows, 1, 0.1, |bench| {
        let keys = [
            set("pair.hydrodynamics", "lubrication"),
            set("pair.cutoff", 4.0),
            set("pair.offset", 0.1),
            set("pair.offset_z", 0.5),
            set("pair.roughness", 0.12),
            set("pair.stiffness", 1e4),
            set("pair.friction", 0.5),
        ];
        let ran = bench.run(PAIR_SHEAR, &keys)?;
        let [offset, out_of_plane, time] = WITH_FRICTION;
        Ok(vec![
            vec![Measure::new(offset, ran.number("/pair/final_offset"))],
            vec![Measure::new(out_of_plane, ran.number("/pair/final_offset_z"))],
            vec![Measure::new(time, time_at(&ran, 10.0))],
        ])
    })
    .source("a separate program")
}

/// When a distance along the flow is reached. There, beyond the cut-off, the spheres move with the
/// flow and the time is linear in the distance.
fn time_at(ran: &Ran, finish: f64) -> f64 {
    let column = |name: &str| ran.series.column(name).unwrap_or_default();
    let (time, x) = (column("strain"), column("x"));
    match x.iter().position(|x| *x >= finish) {
        Some(k) if k > 0 => {
            let share = (finish - x[k - 1]) / (x[k] - x[k - 1]);
            time[k - 1] + share * (time[k] - time[k - 1])
        }
        _ => f64::NAN,
    }
}
