//! The results of balances as lines, one fact each.

use std::fmt;

use super::results::Compared;
use super::survey::Means;
use super::{Comparison, Difference, Results, Springs};

impl fmt::Display for Springs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Springs::NotNeeded => "the laws have none",
            Springs::Remembered => "those of the run at this frame",
            Springs::Unknown => "not known, taken as unstretched",
            Springs::OfOtherLaws(_) => "of other laws than those of the case, taken as unstretched",
        })
    }
}

impl Results {
    /// The results, one fact a line.
    pub fn lines(&self) -> Vec<String> {
        let fraction =
            self.volume_fraction.map_or("open space".to_owned(), |f| format!("φ = {f:.4}"));
        let unit = match self.smallest_radius {
            1.0 => String::new(),
            radius => format!(", a = {radius} there"),
        };
        let mut lines = vec![
            format!(
                "file                {}: {} particles, {fraction}{unit}",
                self.format, self.particles
            ),
            format!(
                "pairs               {} within range, {} overlap, smallest gap {:.3e} a",
                self.pairs, self.contacts, self.smallest_gap
            ),
        ];
        let (precision, found) = (&self.precision, &self.rheology);
        if let (Some(digits), Some(gap), Some(pairs)) =
            (precision.digits, precision.lost_gap, precision.lost_pairs)
        {
            lines.push(format!(
                "digits              {digits}: they blur gaps below {gap:.1e} a, {pairs} pairs are closer"
            ));
        }
        if let (Some(viscosity), Some(pressure), Some(n1), Some(n2)) =
            (found.relative_viscosity, found.particle_pressure, found.n1, found.n2)
        {
            lines.push(format!("relative viscosity  {viscosity:.6}"));
            lines.push(format!("particle pressure   {pressure:.6} μγ̇"));
            lines.push(format!("N1, N2              {n1:.6}, {n2:.6} μγ̇"));
        }
        lines.push(format!("forces left         {:.1e} of all", self.force_residual));
        lines.extend(self.compared.lines());
        lines.extend(self.means.iter().flat_map(Means::lines));
        lines
    }
}

impl Compared {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("springs and films   {}", self.springs)];
        if let Some(reason) = &self.not_compared {
            lines.push(format!("velocities          not compared: {reason}"));
        }
        if let Some(comparison) = &self.comparison {
            lines.extend(comparison.lines());
        }
        for worst in &self.worst_particles {
            let gap = worst.smallest_gap.map_or("nobody near".to_owned(), |gap| {
                format!("smallest gap {gap:.1e} a, {} contacts", worst.contacts)
            });
            lines.push(format!("  far off: id {:<8}{:.3e}  {gap}", worst.id, worst.difference));
        }
        lines
    }
}

impl Comparison {
    /// The table of differences.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            "differences over the rms found; all but the first column without their mean".to_owned(),
            "                         rms       rms       median    90 %      99 %      largest   slope"
                .to_owned(),
        ];
        let rows = [
            ("velocity: file", &self.velocity),
            ("spin: file", &self.spin),
            ("velocity: default law", &self.law_velocity),
            ("spin: default law", &self.law_spin),
        ];
        for (name, difference) in rows {
            lines.extend(difference.map(|difference| difference.line(name)));
        }
        let inertia = self.velocity.map(|all| all.rms_without_mean);
        if let Some(own) = self.law_velocity {
            let file = inertia.map_or(String::new(), |rms| {
                format!("inertia {rms:.2e} if the case has the law of the file, ")
            });
            lines.push(format!("  parts: {file}laws {:.2e}", own.rms_without_mean));
        } else if self.law_failed.is_none() {
            lines.push(
                "  the case has the default law: the file's part is that of laws and inertia together"
                    .to_owned(),
            );
        }
        if let Some(noise) = self.noise {
            let within = inertia.is_some_and(|rms| rms < 3.0 * noise);
            let verdict = if within { ", as large as the difference" } else { "" };
            lines.push(format!("  noise of the digits: at most about {noise:.1e}{verdict}"));
        }
        lines
    }
}

impl Difference {
    fn line(&self, name: &str) -> String {
        let numbers = [
            self.rms,
            self.rms_without_mean,
            self.median,
            self.q90,
            self.q99,
            self.largest_without_mean,
        ];
        let numbers = numbers.map(|x| format!("{x:<10.2e}")).join("");
        format!("  {name:<23}{numbers}{:.4}", self.slope)
    }
}

impl Means {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "means               {} frames, {} compared; above is the last of them",
            self.frames, self.compared
        )];
        let rows = [
            ("relative viscosity", self.relative_viscosity),
            ("particle pressure", self.particle_pressure),
        ];
        for (name, value) in rows {
            lines.extend(value.map(|value| format!("  {name:<20}{value:.6}")));
        }
        if let (Some(rms), Some(median), Some(q90)) =
            (self.velocity_rms, self.velocity_median, self.velocity_q90)
        {
            lines.push(format!(
                "  velocity: file      rms {rms:.2e}, median {median:.2e}, 90 % {q90:.2e}"
            ));
        }
        lines.extend(self.spin_rms.map(|rms| format!("  spin: file          rms {rms:.2e}")));
        lines.extend(self.law_rms.map(|rms| format!("  default law         rms {rms:.2e}")));
        lines.extend(self.noise.map(|noise| format!("  noise               {noise:.1e}")));
        lines
    }
}
