//! Checks of `[[obstacle]]`, and of where particles are drawn among them.

use super::Check;
use crate::case::{Boundary, LubricationModel, ObstacleKind, ObstacleTable};

impl Check<'_> {
    /// Everything about walls and obstacles.
    pub fn obstacles(&mut self) {
        let case = self.case;
        for (index, table) in case.obstacle.iter().enumerate() {
            self.obstacle(&format!("obstacle[{index}]"), table);
        }
        if case.obstacle.is_empty() {
            return;
        }
        if case.domain.boundary == Boundary::Periodic && case.particles.count.is_some() {
            let problem = "particles would be drawn in a periodic box, through the obstacles";
            let remedy = "set domain.boundary = \"open\" and particles.region, or place them";
            self.fault("obstacle", problem, remedy);
        } else if case.domain.boundary == Boundary::Periodic {
            let problem = "obstacles have no images in a periodic box: particles would go through \
                           them at its border, and feel each other through walls";
            self.fault("obstacle", problem, "set domain.boundary = \"open\"");
        }
        if case.drive.imposes_stress() {
            let problem = "given although a stress is imposed, which walls would share";
            self.fault("obstacle", problem, "impose drive.rate");
        }
        if case.laws.lubrication.enabled
            && case.laws.lubrication.hydrodynamics == Some(LubricationModel::TwoBody)
        {
            let problem = "two-sphere functions know of no walls";
            let remedy = "take lubrication.hydrodynamics = \"lubrication\"";
            self.fault("lubrication.hydrodynamics", problem, remedy);
        }
    }

    fn obstacle(&mut self, key: &str, table: &ObstacleTable) {
        let of = |name: &str| format!("{key}.{name}");
        let kind = table.kind;
        self.fits(key, table);
        if kind == ObstacleKind::Plane {
            match table.normal {
                None => self.fault(&of("normal"), "missing", "say on which side particles are"),
                Some(normal) => self.direction(&of("normal"), normal),
            }
        }
        let round = [ObstacleKind::Cylinder, ObstacleKind::Wheel, ObstacleKind::Sphere];
        if round.contains(&kind) && table.radius.is_none() {
            let remedy = format!("give the radius of the {}", kind.name());
            self.fault(&of("radius"), "missing", remedy);
        }
        if kind == ObstacleKind::Box {
            if !(2..=3).contains(&table.lengths.len()) {
                let problem = format!("{} lengths for a box", table.lengths.len());
                let remedy = "give [Lx, Ly, Lz], or [Lx, Ly] for one without sides along z";
                self.fault(&of("lengths"), problem, remedy);
            }
            if !table.inside && !table.open.is_empty() {
                let problem = "a solid box has no open sides";
                self.fault(&of("open"), problem, "set inside = true, or leave it out");
            }
        }
        if kind == ObstacleKind::Plate {
            match table.edges {
                None => self.fault(&of("edges"), "missing", "give a point of either edge"),
                Some([from, to]) if from == to => {
                    self.fault(&of("edges"), "are the same point", "give two");
                }
                Some(_) => {}
            }
        }
        if kind == ObstacleKind::Wheel && table.paddles > 0 {
            let (radius, reach) = (table.radius.unwrap_or(1.0), table.reach);
            if reach.is_some_and(|reach| reach <= radius) {
                let problem = "paddles that do not reach beyond the rim";
                self.fault(&of("reach"), problem, "give more than the radius");
            }
        }
        self.direction(&of("axis"), table.axis);
        self.stays_planar(key, table);
    }

    /// Keys of other kinds.
    fn fits(&mut self, key: &str, table: &ObstacleTable) {
        use ObstacleKind::{Box, Cylinder, Plane, Plate, Sphere, Wheel};
        let keys: [(&str, &[ObstacleKind]); 11] = [
            ("point", &[Plane, Box, Cylinder, Wheel, Sphere]),
            ("normal", &[Plane]),
            ("lengths", &[Box]),
            ("radius", &[Cylinder, Wheel, Sphere]),
            ("axis", &[Cylinder, Wheel, Plate]),
            ("inside", &[Box, Cylinder, Sphere]),
            ("open", &[Box]),
            ("edges", &[Plate]),
            ("thickness", &[Plate, Wheel]),
            ("paddles", &[Wheel]),
            ("reach", &[Wheel]),
        ];
        for (name, kinds) in keys {
            let full = format!("{key}.{name}");
            if !kinds.contains(&table.kind) && self.given(&full) && !self.is_default(name, table) {
                let problem = format!("given although a {} has none", table.kind.name());
                self.fault(&full, problem, "leave it out");
            }
        }
    }

    /// Whether a key that is always written has its default.
    fn is_default(&self, name: &str, table: &ObstacleTable) -> bool {
        match name {
            "point" => table.point == [0.0; 3],
            "axis" => table.axis == [0.0, 0.0, 1.0],
            "inside" => !table.inside,
            "paddles" => table.paddles == 0,
            _ => false,
        }
    }

    fn direction(&mut self, key: &str, vector: [f64; 3]) {
        if vector == [0.0; 3] {
            self.fault(key, "has no direction", "give a vector other than [0, 0, 0]");
        }
    }

    /// What keeps particles in a plane.
    fn stays_planar(&mut self, key: &str, table: &ObstacleTable) {
        if !self.case.particles.planar {
            return;
        }
        let remedy = "set particles.planar = false, or turn it into the plane of x and y";
        let mut tilted = |name: &str, wrong: bool| {
            if wrong {
                let problem = "would push particles out of the plane of x and y";
                self.fault(&format!("{key}.{name}"), problem, remedy);
            }
        };
        let [ax, ay, _] = table.axis;
        let round = matches!(
            table.kind,
            ObstacleKind::Cylinder | ObstacleKind::Wheel | ObstacleKind::Plate
        );
        tilted("axis", round && (ax != 0.0 || ay != 0.0));
        tilted("normal", table.normal.is_some_and(|n| n[2] != 0.0));
        tilted("velocity", table.motion.velocity[2] != 0.0);
        tilted("spin", table.motion.spin[0] != 0.0 || table.motion.spin[1] != 0.0);
    }

    /// Spheres that are drawn in a part of open space.
    pub(super) fn scattered(&mut self, [low, high]: [[f64; 3]; 2]) {
        if self.case.domain.boundary == Boundary::Periodic {
            let problem = "given although the domain is periodic";
            let remedy =
                "set domain.boundary = \"open\", or give particles.volume_fraction instead";
            self.fault("particles.region", problem, remedy);
        }
        let reason = "particles.region says where spheres are drawn";
        self.refuse(&["particles.volume_fraction"], reason);
        self.count();
        if low[0] == high[0] || low[1] == high[1] {
            let problem = "has no width or no height";
            self.fault("particles.region", problem, "give two corners, [[x, y, z], [x, y, z]]");
        }
        if let Some(range) = self.case.particles.radius_range {
            if range[0] > range[1] {
                let problem = "the smallest radius is beyond the largest";
                self.fault("particles.radius_range", problem, "give [smallest, largest]");
            }
            self.refuse(&["particles.radii"], "particles.radius_range tells them");
        }
    }
}
