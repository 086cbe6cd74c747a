//! The results of the study.

use serde::Serialize;

use super::motion::{CollisionProgress, Ending, Setting};
use super::{Collision, Partner, Released, released, theory};
use crate::error::Error;
use crate::record::keys::described;
use crate::study::Finished;
use crate::study::few::Conclusion;

/// What a case means, one fact a line.
pub(super) fn meaning(given: &Collision) -> Vec<String> {
    let setting = Setting::new(given);
    let (matter, law) = (&setting.matter, &setting.law);
    vec![
        format!(
            "particles           a {} sphere of radius {:e} m that hits a {}",
            given.material.name(),
            given.radius,
            if given.partner == Partner::Wall { "wall" } else { "sphere" }
        ),
        "units               SI".to_owned(),
        format!(
            "impact              St = {}, v₀ = {:.4e} m/s at {}°, η = {} Pa s",
            given.stokes, setting.speed, given.angle_deg, given.viscosity
        ),
        format!(
            "smallest approach   {:.4e} m: roughness {:.4e}, deformation {:.4e}",
            law.approach,
            matter.roughness,
            matter.deformation_gap(setting.normal_speed)
        ),
        format!(
            "times               {:.4e} s through the film, {:.4e} s for a dry contact",
            setting.approach_time(),
            matter.hertz_time(setting.normal_speed)
        ),
        format!(
            "expected            e = {:.4} to leading order, none below St_c ≈ {:.2}",
            theory(given),
            matter.critical_stokes()
        ),
        "expected cost       under a second".to_owned(),
    ]
}

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct CollisionSummary {
        /// What happened.
        pub collision: Collided,
        /// How the run went; times are in `[s]`.
        #[serde(flatten)]
        pub run: Conclusion,
    }

    /// What the collision did.
    #[derive(Clone, Debug, Serialize)]
    pub struct Collided {
        /// What is left of the speed along the line of centres; 0 if the film holds the bodies
        /// `[1]`.
        pub restitution: f64,
        /// Angle of the first body's velocity after it `[°]`.
        pub rebound_angle_deg: f64,
        /// Angle of the velocity relative to the second body; none if the film holds them `[°]`.
        pub relative_rebound_angle_deg: Option<f64>,
        /// Smallest gap; negative where surfaces were pressed into each other `[m]`.
        pub min_gap: f64,
        /// Whether they left each other.
        pub rebound: bool,
        /// How it ended.
        pub ending: Ending,
        /// Whether surfaces touched.
        pub touched: bool,
        /// Spin of the first body after it `[1/s]`.
        pub spin: f64,
        /// Largest force that pressed the bodies together, and apart again `[N]`.
        pub largest_pressure: f64,
        /// Largest suction of the film `[N]`.
        pub largest_suction: f64,
        /// What the law makes of material and speed.
        #[serde(flatten)]
        pub law: CollisionScales,
        /// Energy not accounted for at the end, over that at the start `[1]`.
        pub energy_mismatch: f64,
        /// The same spheres without inertia, let go where they touch.
        pub zero_stokes: Released,
    }

    /// What the law makes of material and speed.
    #[derive(Clone, Debug, Serialize)]
    pub struct CollisionScales {
        /// Speed of approach `[m/s]`.
        pub speed: f64,
        /// Reduced radius R* `[m]`.
        pub reduced_radius: f64,
        /// Smallest approach h_min, where contact begins `[m]`.
        pub smallest_approach: f64,
        /// That of smooth surfaces, h_ε `[m]`.
        pub deformation_gap: f64,
        /// Friction coefficient in use `[1]`.
        pub friction: f64,
        /// Estimate of St_c, below which there is no rebound `[1]`.
        pub critical_stokes: f64,
        /// Restitution to leading order in 1/St, 0 below St_c `[1]`.
        pub theory_restitution: f64,
    }
}

/// The results of a study that reached its end.
///
/// # Errors
///
/// When the same spheres cannot be stepped without inertia.
pub(super) fn summarise(
    given: &Collision,
    impact: &CollisionProgress,
    run: &Finished<'_>,
) -> Result<CollisionSummary, Error> {
    let setting = Setting::new(given);
    let ending = impact.ending.unwrap_or(Ending::Undecided);
    let parted = ending == Ending::Parted;
    let mut advice = Vec::new();
    if ending == Ending::Undecided {
        advice.push(format!(
            "the bodies have neither parted nor come to rest at {:.4e} s; a larger \
             collision.max_time, with --force, runs for longer",
            impact.time
        ));
    }
    let (restitution, dry) = (setting.restitution(impact), setting.matter.dry_restitution);
    if parted && restitution > dry {
        advice.push(format!(
            "the restitution {restitution:.4} is above the dry one, {dry}: below h_min = {:.2e} m the \
             contact counts only in part, and so does its damping; the law holds for less roughness, or \
             faster bodies",
            setting.law.approach
        ));
    }
    Ok(CollisionSummary {
        collision: Collided {
            restitution,
            rebound_angle_deg: setting.rebound_angle(impact),
            relative_rebound_angle_deg: parted.then(|| setting.relative_angle(impact)),
            min_gap: impact.min_gap,
            rebound: parted,
            ending,
            touched: impact.touched,
            spin: impact.bodies[0].motion.angular.z,
            largest_pressure: impact.extremes[1],
            largest_suction: impact.extremes[0],
            law: CollisionScales::new(given, &setting),
            energy_mismatch: setting.energy_mismatch(impact),
            zero_stokes: released(run.case)?,
        },
        run: Conclusion::new(run, advice),
    })
}

impl CollisionScales {
    fn new(given: &Collision, setting: &Setting) -> Self {
        CollisionScales {
            speed: setting.speed,
            reduced_radius: setting.matter.radius,
            smallest_approach: setting.law.approach,
            deformation_gap: setting.matter.deformation_gap(setting.normal_speed),
            friction: setting.law.friction,
            critical_stokes: setting.matter.critical_stokes(),
            theory_restitution: theory(given),
        }
    }
}

impl CollisionSummary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let c = &self.collision;
        let told = match c.ending {
            Ending::Parted => format!("e = {:.5}", c.restitution),
            Ending::Held => "e = 0: the film holds the bodies".to_owned(),
            Ending::Undecided => "not known: neither parted nor at rest".to_owned(),
        };
        let touched = if c.touched { "touched" } else { "never touched" };
        vec![
            format!("restitution         {told}; to leading order {:.5}", c.law.theory_restitution),
            format!("rebound angle       {:.3}°", c.rebound_angle_deg),
            format!(
                "smallest gap        {:.4e} m, contact below {:.4e} m: {touched}",
                c.min_gap, c.law.smallest_approach
            ),
            format!("critical number     St_c ≈ {:.2}", c.law.critical_stokes),
            format!("without inertia     {}", c.zero_stokes.words()),
            format!("energy              to {:.0e} of that at the start", c.energy_mismatch.abs()),
            format!(
                "cost                {} steps, {:.3} s",
                self.run.costs.steps, self.run.costs.wall_seconds
            ),
        ]
    }
}
