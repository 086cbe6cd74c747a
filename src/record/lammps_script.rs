//! An input file of LAMMPS that shears the spheres of a data file with films and springs.

use std::fmt::Write;

/// A step over the shortest time in which films or springs turn the motion of a sphere.
const SHORT: f64 = 0.05;

/// How much farther than films reach neighbours are listed, in smallest radii.
const SKIN: f64 = 0.3;

/// What an input needs to know, in the units of the data file.
#[derive(Debug, Clone, PartialEq)]
pub struct LammpsRun {
    /// The data file.
    pub data: String,
    /// The dump to write.
    pub dump: String,
    /// The radius of every type of atoms, the smallest first.
    pub radii: Vec<f64>,
    /// Whether the data file has velocities.
    pub moves: bool,
    /// Viscosity of the fluid.
    pub viscosity: f64,
    /// Shear rate `[1/t]`.
    pub rate: f64,
    /// Gaps at which films are cut off, inner and outer.
    pub gaps: [f64; 2],
    /// Normal and tangential stiffness of contacts.
    pub stiffness: [f64; 2],
    /// Friction coefficient.
    pub friction: f64,
    /// Density of the spheres.
    pub density: f64,
    /// The strain to reach `[1]`.
    pub strain: f64,
}

impl LammpsRun {
    /// A step that is short enough for the smallest sphere `[t]`.
    fn step(&self) -> f64 {
        let radius = self.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let mass = 4.0 / 3.0 * std::f64::consts::PI * self.density * radius.powi(3);
        let gap = self.gaps[0] / radius;
        let film = 0.25 / gap + 9.0 / 40.0 * (1.0 / gap).ln().max(0.0);
        let resistance = 6.0 * std::f64::consts::PI * self.viscosity * radius * film;
        SHORT * (mass / resistance).min((mass / self.stiffness[0]).sqrt())
    }

    /// The text of the input.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.push_numbers(&mut text);
        self.push_spheres(&mut text);
        self.push_pairs(&mut text);
        self.push_run(&mut text);
        text
    }

    /// What may be changed on the command line.
    fn push_numbers(&self, text: &mut String) {
        let LammpsRun { dump, rate, viscosity, density, strain, .. } = self;
        let ([normal, tangential], [inner, outer]) = (self.stiffness, self.gaps);
        let _ = write!(
            text,
            "# Spheres under shear, lubricated and with springs where they touch.\n\
             #   lmp -in THIS_FILE [-var density 1e-3 -var strain 2]\n\
             #   zerostokes mobility {dump} --lammps-input THIS_FILE\n\
             # The Stokes number is density*rate*a^2/viscosity. LAMMPS turns spheres by half of\n\
             # rate*ly instead of half of rate: with friction its results are wrong.\n\
             variable viscosity index {viscosity}\n\
             variable rate index {rate}\n\
             variable density index {density}\n\
             variable strain index {strain}\n\
             # A twentieth of the time in which a film stops the smallest sphere.\n\
             variable dt equal {step:.3e}*v_density\n\
             variable kn index {normal}\n\
             variable kt index {tangential}\n\
             variable friction index {friction}\n\
             variable hin index {inner}\n\
             variable hout index {outer}\n",
            step = self.step() / density,
            friction = self.friction,
        );
    }

    fn push_spheres(&self, text: &mut String) {
        let _ = write!(
            text,
            "\nunits lj\natom_style sphere\nnewton off\nboundary p p p\n\
             comm_modify mode single vel yes\nread_data {}\n\
             set group all density ${{density}}\n",
            self.data
        );
        if !self.moves {
            text.push_str(
                "velocity all ramp vx 0.0 $(v_rate*ly) y $(ylo) $(yhi)\n\
                 velocity all set NULL 0.0 0.0\nset group all omega 0 0 $(-0.5*v_rate)\n",
            );
        }
    }

    fn push_pairs(&self, text: &mut String) {
        let poly = self.radii.len() > 1;
        let style = if poly { "lubricate/poly" } else { "lubricate" };
        let first = 2.0 * self.radii[0];
        let _ = write!(
            text,
            "\npair_style hybrid/overlay gran/hooke/history ${{kn}} ${{kt}} 0.0 NULL ${{friction}} 0 &\n\
             \x20 {style} ${{viscosity}} 1 1 $({first}+v_hin) $({first}+v_hout) 1 0\n\
             pair_coeff * * gran/hooke/history\n",
        );
        if poly {
            self.push_types(text, style);
        } else {
            text.push_str("pair_coeff * * lubricate\n");
        }
    }

    fn push_run(&self, text: &mut String) {
        let _ = write!(
            text,
            "neighbor {skin} bin\nneigh_modify delay 0 every 1 check yes\n\
             timestep ${{dt}}\nfix 1 all nve/sphere\n\
             fix 2 all deform 1 xy erate ${{rate}} remap v\n\n\
             compute p all pressure NULL virial\n\
             variable sheared equal step*dt*v_rate\n\
             variable eta equal 1-c_p[4]/(v_viscosity*v_rate)\n\
             variable pi equal (c_p[1]+c_p[2]+c_p[3])/(3*v_viscosity*v_rate)\n\
             thermo_style custom step v_sheared v_eta v_pi\n\
             thermo $(ceil(0.01/(dt*v_rate)))\nthermo_modify norm no\n\
             dump 1 all custom $(ceil(0.1/(dt*v_rate))) {dump} &\n\
             \x20 id type radius x y z vx vy vz omegax omegay omegaz\n\
             dump_modify 1 sort id format float %.17g\n\
             # To the frame at or after the strain.\n\
             run $(ceil(0.1/(dt*v_rate))*ceil(v_strain/(dt*v_rate*ceil(0.1/(dt*v_rate)))))\n",
            skin = SKIN * self.radii[0],
            dump = self.dump
        );
    }

    /// The distances at which films of every pair of types are cut off.
    fn push_types(&self, text: &mut String, style: &str) {
        for (i, a) in self.radii.iter().enumerate() {
            for (j, b) in self.radii.iter().enumerate().skip(i) {
                let (sum, i, j) = (a + b, i + 1, j + 1);
                let _ = writeln!(text, "pair_coeff {i} {j} {style} $({sum}+v_hin) $({sum}+v_hout)");
            }
        }
    }
}
