//! The results of a run in words.

use super::{AccuracyVerdict, OscillationSeen, Parts, SuspensionSummary};
use crate::case::percent;
use crate::cost::Cost;
use crate::laws::Origin;
use crate::plot::with_error;
use crate::stats::Estimate;
use crate::study::suspension::protocol::remark;

impl Parts {
    /// The parts that are there, as text.
    fn listed(&self) -> Vec<String> {
        let whole = [("solvent", &self.solvent), ("spheres", &self.einstein)];
        let known = Origin::ALL.map(|origin| origin.name());
        let outside = self.pairs.keys().map(String::as_str).filter(|name| !known.contains(name));
        let pairs = known.into_iter().chain(outside).map(|name| (name, &self.pairs[name]));
        let mean = |(name, part): (&str, &Option<Estimate>)| {
            part.as_ref().filter(|e| e.mean != 0.0).map(|e| format!("{name} {:.3}", e.mean))
        };
        whole.into_iter().chain(pairs).filter_map(mean).collect()
    }
}

impl SuspensionSummary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(strain) = self.rheology.jammed_at {
            lines.push(format!(
                "jammed              at strain {strain:.3}: the imposed stress drives no flow"
            ));
        } else if self.rheology.jammed {
            lines.push(format!(
                "jammed              spheres overlap by up to {:.2e} a, beyond contact.max_overlap: \
                 what follows is the springs' doing",
                self.pairs.steady_overlap.unwrap_or(0.0)
            ));
        }
        lines.extend(self.flow_lines());
        let verdict = self.rheology.accuracy.as_ref();
        lines.extend(verdict.map(|verdict| self.accuracy_line(verdict)));
        lines.extend(self.phases.iter().enumerate().map(|(k, phase)| phase.line(k)));
        lines.extend(self.oscillation.iter().flat_map(OscillationSeen::lines));
        lines.push(self.pairs_line());
        let t = &self.totals;
        lines.push(format!(
            "forces balance      to {:.0e}, contact laws to {:.0e}, power to {:.0e}",
            t.worst_force_residual, t.worst_friction_residual, t.worst_power_mismatch
        ));
        lines.extend(self.cost().lines("the whole run", t.peak_memory_bytes));
        lines
    }

    /// Means over a steady flow; nothing without one.
    fn flow_lines(&self) -> Vec<String> {
        let number = |e: &Option<Estimate>| match e {
            Some(e) => with_error(e.mean, e.stderr),
            None => "–".to_owned(),
        };
        let mean = |e: &Option<Estimate>| e.as_ref().map_or(0.0, |e| e.mean);
        let found = &self.rheology;
        let (Some(_), Some(steady)) = (&found.relative_viscosity, &found.steady) else {
            return Vec::new();
        };
        let sliding = match (self.pairs.thinnest_film, self.pairs.most_overloaded) {
            (Some(_), None) => String::new(),
            _ => format!(", {:.0} % sliding", 100.0 * mean(&found.sliding_fraction)),
        };
        vec![
            format!(
                "relative viscosity  η_r = {}   ({})",
                number(&found.relative_viscosity),
                found.viscosity.listed().join(", ")
            ),
            format!("particle pressure   Π   = {} μγ̇", number(&found.particle_pressure)),
            format!(
                "normal stresses     N1  = {} μγ̇,  N2 = {} μγ̇",
                number(&found.n1),
                number(&found.n2)
            ),
            format!(
                "contacts            Z   = {} per particle{sliding}",
                number(&found.coordination)
            ),
            format!(
                "averaged over       strain {:.2} to {:.2}{}",
                steady.start,
                self.reached.accumulated_strain,
                remark(steady)
            ),
        ]
    }

    /// How close particles came.
    fn pairs_line(&self) -> String {
        let pairs = &self.pairs;
        match (pairs.thinnest_film, pairs.largest_deflection) {
            (Some(film), Some(deflection)) => {
                let overloaded = pairs.most_overloaded.map_or(String::new(), |most| {
                    format!(", {most} pairs at most beyond what asperities bear")
                });
                format!(
                    "films               at least {film:.2e} a thick, deflections up to \
                     {deflection:.2e} a{overloaded}"
                )
            }
            _ if pairs.constraints.is_some() => self.constraint_line(),
            _ => format!(
                "overlap             at most {:.2e} a, stiffness {:.1e} μγ̇a",
                self.totals.max_overlap,
                pairs.stiffness.unwrap_or(0.0)
            ),
        }
    }

    /// How well contacts that are constraints were met.
    fn constraint_line(&self) -> String {
        let (glued, met) = (self.pairs.glued_pairs.unwrap_or(0), &self.pairs.constraints);
        let worst = met.map_or([0.0; 2], |met| [met.violation, met.complementarity]);
        format!(
            "constraints         {glued} pairs glued, overlap at most {:.0e} a, complementarity {:.0e} a",
            worst[0], worst[1]
        )
    }

    /// What was asked of the mean, and what was reached.
    fn accuracy_line(&self, verdict: &AccuracyVerdict) -> String {
        let (goal, symbol) = (percent(verdict.goal), verdict.quantity.symbol());
        let reached = verdict.reached.map_or("nothing".to_owned(), percent);
        format!(
            "accuracy            {goal} of {symbol} asked, {reached} reached at strain {:.0}{}",
            self.reached.accumulated_strain,
            if verdict.met { "" } else { "  (not met)" }
        )
    }

    /// What the whole run cost.
    fn cost(&self) -> Cost {
        let t = &self.totals;
        Cost {
            particles: self.reached.particles,
            strain: self.reached.accumulated_strain,
            seconds: t.wall_seconds,
            steps: self.reached.steps,
            solves: t.solves,
            iterations: t.iterations,
            times: t.stage_seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::means::Means;
    use super::*;
    use crate::record::read_columns;

    #[test]
    fn the_stress_of_a_law_from_outside_is_a_part_of_the_viscosity() {
        let mut text = "accumulated_strain,relative_viscosity,particle_pressure,\
                        viscosity_depletion,viscosity_kinetic\n"
            .to_owned();
        (1..=200)
            .for_each(|k| text += &format!("{},4.{},1.{},2,1\n", 0.1 * k as f64, k % 7, k % 5));
        let name = format!("zerostokes-parts-{}.csv", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        let table = read_columns(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let parts = Parts::new(&Means::new(&table, true));
        assert_eq!(parts.pairs["depletion"].as_ref().unwrap().mean, 2.0);
        assert!(!parts.pairs.contains_key("kinetic"));
        assert_eq!(parts.listed(), ["depletion 2.000"]);
    }
}
