//! What is combined.

/// What a feature is about. Two features of one axis exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Space,
    Flow,
    Obstacles,
    Surface,
    Hydrodynamics,
    Friction,
    Repulsion,
    Attraction,
    Drive,
    Inertia,
    Force,
    Source,
    Units,
    Accuracy,
    Use,
}

/// How a case with the feature is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is run.
    Run,
    /// It is stopped half way and resumed: the same bytes.
    Resume,
    /// It is a point of a sweep.
    Sweep,
    /// Forces are balanced once, in a packing.
    Mobility,
    /// It is compared with itself at two Stokes numbers.
    Crosscheck,
}

/// One feature: what it sets in a case of 40 spheres that are sheared, or how the case is used.
pub struct Feature {
    pub name: &'static str,
    pub axis: Axis,
    /// TOML that is merged into the case.
    pub set: &'static str,
    /// Keys that are taken out of the case.
    pub without: &'static [&'static str],
    pub used: Use,
}

const fn feature(name: &'static str, axis: Axis, set: &'static str) -> Feature {
    Feature { name, axis, set, without: &[], used: Use::Run }
}

const fn used(name: &'static str, used: Use) -> Feature {
    Feature { name, axis: Axis::Use, set: "", without: &[], used }
}

impl Feature {
    const fn used(self, used: Use) -> Feature {
        Feature { used, ..self }
    }

    const fn without(self, without: &'static [&'static str]) -> Feature {
        Feature { without, ..self }
    }
}

/// The case that features change.
pub const BASE: &str = "
[particles]
count = 40
volume_fraction = 0.4
[drive]
rate = 1.0
strain = 0.05
[output]
frames = 0.01
";

/// Where spheres are drawn in open space, and how far runs go that are not sheared.
const OPEN: &str = "
domain.boundary = 'open'
particles.region = [[-6.0, 1.5, -6.0], [6.0, 9.0, 6.0]]
drive.time = 0.05
";

const PLANE: &str = "
domain.boundary = 'open'
particles.region = [[-6.0, 1.5, -6.0], [6.0, 9.0, 6.0]]
drive.rate = 0.0
drive.time = 0.05
drive.force = [0.0, -10.0, 0.0]
[[obstacle]]
kind = 'plane'
point = [0.0, -2.0, 0.0]
normal = [0.0, 1.0, 0.0]
";

const MOVING: &str = "
domain.boundary = 'open'
particles.region = [[-6.0, 1.5, -6.0], [6.0, 9.0, 6.0]]
drive.rate = 0.0
drive.time = 0.05
[[obstacle]]
kind = 'sphere'
point = [0.0, -3.0, 0.0]
radius = 2.0
velocity = [0.0, 2.0, 0.0]
";

const PHASES: &str = "
[[drive.phase]]
rate = 1.0
strain = 0.03
[[drive.phase]]
rate = -1.0
strain = 0.02
";

const HYDRODYNAMICS: Axis = Axis::Hydrodynamics;

/// All features. SI units are the last that is set: they convert what the others say.
pub const FEATURES: &[Feature] = &[
    feature("periodic shear", Axis::Space, ""),
    feature("open space", Axis::Space, OPEN)
        .without(&["particles.volume_fraction", "drive.strain"]),
    feature("planar", Axis::Space, "particles.planar = true\nparticles.volume_fraction = 0.6"),
    feature("planar extension", Axis::Flow, "drive.flow = 'extension'"),
    feature("walls", Axis::Obstacles, PLANE)
        .without(&["particles.volume_fraction", "drive.strain"]),
    feature("moving obstacle", Axis::Obstacles, MOVING)
        .without(&["particles.volume_fraction", "drive.strain"]),
    feature("soft", Axis::Surface, "[soft]\nmodulus = 1e4"),
    feature("rough", Axis::Surface, "[rough]\nroughness = 1e-2"),
    feature("gluey", Axis::Surface, "[gluey]\ngamma_min = -1.0"),
    feature("two-body", HYDRODYNAMICS, "lubrication.hydrodynamics = 'two-body'"),
    feature("lubrication", HYDRODYNAMICS, "lubrication.hydrodynamics = 'lubrication'"),
    feature("ge-brandt", HYDRODYNAMICS, "lubrication.hydrodynamics = 'ge-brandt'"),
    feature("lf-dem", HYDRODYNAMICS, "lubrication.hydrodynamics = 'lf-dem'"),
    feature(
        "lammps-lubricate",
        HYDRODYNAMICS,
        "lubrication.hydrodynamics = 'lammps-lubricate'\nparticles.radii = [1.0]",
    ),
    feature(
        "lammps-lubricate-poly",
        HYDRODYNAMICS,
        "lubrication.hydrodynamics = 'lammps-lubricate-poly'",
    )
    .used(Use::Mobility),
    feature("no films", HYDRODYNAMICS, "lubrication.enabled = false"),
    feature("friction", Axis::Friction, "contact.friction = 0.5"),
    feature("critical load", Axis::Friction, "contact = { friction = 0.5, critical_load = 1.0 }"),
    feature("repulsion", Axis::Repulsion, "repulsion = { force = 5.0, debye_length = 0.05 }"),
    feature(
        "attraction",
        Axis::Attraction,
        "attraction = { hamaker = 0.1, regularisation = 0.05, range = 0.5 }",
    ),
    feature("imposed stress", Axis::Drive, "drive.stress = 5.0").without(&["drive.rate"]),
    feature("phases", Axis::Drive, PHASES).without(&["drive.rate", "drive.strain", "drive.time"]),
    feature("oscillation", Axis::Drive, "drive.oscillation = { amplitude = 0.02, cycles = 2 }")
        .without(&["drive.rate", "drive.strain", "drive.time"]),
    feature("inertia", Axis::Inertia, "inertia.stokes = 0.1"),
    feature("inertia, Verlet", Axis::Inertia, "inertia = { stokes = 0.1, scheme = 'verlet' }"),
    feature(
        "external forces",
        Axis::Force,
        "force = [{ particles = [0], vector = [1.0, 0.0, 0.0], torque = [0.0, 0.0, 1.0] }]",
    ),
    feature("configuration file", Axis::Source, "particles.file = 'packing.extxyz'")
        .without(&["particles.count", "particles.volume_fraction"]),
    feature("SI units", Axis::Units, ""),
    feature("accuracy", Axis::Accuracy, "accuracy.relative_error = 0.3"),
    used("resume", Use::Resume),
    used("sweep", Use::Sweep),
    used("mobility", Use::Mobility),
    used("crosscheck", Use::Crosscheck),
];
