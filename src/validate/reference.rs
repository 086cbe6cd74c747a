//! Tables of numbers by other programs, from `tests/reference`; their first lines say how they came
//! about.

/// T1 durations in τ.
pub const T1_DURATIONS: &str = include_str!("../../tests/reference/t1_durations.csv");

/// Two spheres in shear with drag and lubrication.
pub const PAIR_SHEAR: &str = include_str!("../../tests/reference/pair_shear_same_model.csv");

/// Two spheres in shear with exact hydrodynamics.
pub const PAIR_SHEAR_EXACT: &str = include_str!("../../tests/reference/pair_shear_exact.csv");

/// Mobility functions of two spheres in a linear flow.
pub const MOBILITY: &str = include_str!("../../tests/reference/two_body_mobility_AB.csv");

/// Viscosities by LF_DEM.
pub const LF_DEM: &str = include_str!("../../tests/reference/lf_dem_viscosity_n200.csv");

/// A frame of LF_DEM with 17 digits.
pub const LF_DEM_FRAME: &str =
    include_str!("../../tests/reference/formats/par_lf_dem_N200_phi0.50_strain2.dat");

/// Restitution of lubricated collisions.
pub const RESTITUTION: &str = include_str!("../../tests/reference/collision_restitution.csv");

/// The rows of a table under the names of their columns.
pub struct Entry<'a> {
    names: Vec<&'a str>,
    values: Vec<&'a str>,
}

impl Entry<'_> {
    /// What stands in a column; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        let place = self.names.iter().position(|n| *n == name);
        place.and_then(|k| self.values.get(k)).copied().unwrap_or_default()
    }

    /// A number, 1 and 0 for true and false, and no number if there is none.
    pub fn number(&self, name: &str) -> f64 {
        match self.text(name) {
            "True" => 1.0,
            "False" => 0.0,
            text => text.parse().unwrap_or(f64::NAN),
        }
    }
}

/// The rows of a table.
pub fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(|line| Entry { names: names.clone(), values: line.split(',').collect() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_holds_numbers() {
        for (text, rows, names) in [
            (T1_DURATIONS, 34, vec!["kappa", "h0_over_R", "c_n", "duration_over_tau"]),
            (PAIR_SHEAR, 18, vec!["offset", "cutoff", "stiffness_kb", "min_gap", "final_offset"]),
            (PAIR_SHEAR_EXACT, 6, vec!["d0_over_a", "min_gap_exact_table"]),
            (MOBILITY, 38, vec!["r_over_a", "A", "B"]),
            (LF_DEM, 10, vec!["friction", "phi", "strain_end", "eta_r", "stderr", "contact", "n1"]),
            (RESTITUTION, 30, vec!["stokes", "roughness_m", "viscosity_Pa_s", "restitution"]),
        ] {
            let entries = entries(text);
            assert_eq!(entries.len(), rows);
            for entry in &entries {
                assert!(names.iter().all(|name| !entry.number(name).is_nan()), "{names:?}");
            }
        }
        assert!(entries(LF_DEM)[0].number("no such column").is_nan());
    }
}
