//! The stress of LF_DEM's law on a frame of LF_DEM: no mean, so that digits count.

use std::path::Path;

use super::bench::Bench;
use super::reference::LF_DEM_FRAME;
use super::suspension::row;
use super::{Findings, Job, Measure, Tolerance};
use crate::analysis::mobility::{Snapshot, solve};
use crate::case::Case;
use crate::record::{WhichFrame, read_frame};
use crate::stress::{n1, n2, pressure, shear};

/// A case whose particles do not matter.
const CASE: &str = "[particles]\ncount = 10\nvolume_fraction = 0.1\n\
                    [lubrication]\nhydrodynamics = \"lf-dem\"\n";

/// η_r with its 2.5 φ, Π, N₁ and N₂ that LF_DEM found (`lf_dem_stress_strain2.csv`).
const FOUND: [f64; 4] =
    [12.966_164_747_9 + 1.25, 9.058_265_182_02, -1.798_113_385_35, -2.798_098_228_52];

/// One row.
pub fn job() -> Job {
    let row = row("stress on a frame of LF_DEM, its law", Tolerance::Relative(2e-3))
        .note("what the flow drives in LF_DEM's dashpots differs, by 0.1 % of η_r");
    Job::new(vec![row], 0, 0.1, stress).source("LF_DEM, lf_dem_stress_strain2.csv")
}

fn stress(bench: &Bench) -> Findings {
    let path = bench.file("frame.dat", LF_DEM_FRAME)?;
    let read = read_frame(&path, WhichFrame::Last)?;
    let case = Case::from_text(CASE, Path::new("frame.toml"), &[])?;
    let total = solve(&case, &Snapshot::new(&path, &read))?.seen.stress.total();
    let here = [shear(&total), pressure(&total), n1(&total), n2(&total)];
    let names = ["η_r", "Π", "N₁", "N₂"];
    let measures = (0..4).map(|k| Measure::of(names[k], FOUND[k], here[k]));
    Ok(vec![measures.collect()])
}
