//! Dense suspensions, foams and emulsions at zero Stokes number.
//!
//! Particles in a viscous fluid without inertia: at every instant the forces and torques on each of
//! them vanish, which is one sparse symmetric system for the velocities and spins relative to the
//! imposed flow,
//! $$\underbrace{\Big(\mathsf R_{drag} +
//! \sum_{pairs}\mathsf B^T\mathsf r\,\mathsf B\Big)}_{\mathsf R}\,\mathbf U =
//! \mathbf F_{ext} - \sum_{pairs}\mathsf B^T\big(\mathbf f_0 + \mathsf r\,\mathbf q^E\big),$$
//! where \\(\mathsf B\\) turns the velocities of two particles into the six rates of the pair
//! (squeeze, slide, roll, twist), a law gives the pair force
//! \\(\mathbf f = \mathbf f_0 + \mathsf r\,\mathbf q\\) in these rates, and \\(\mathbf q^E\\) are
//! the rates that the flow drives in a pair. Between soft particles \\(\mathsf r\\) is the slope of
//! a film that deflects during the step (G and b of RG09); between rough ones that of a film that
//! drains. With two-body hydrodynamics strain also drives forces of its own and a stresslet
//! ([`balance::field`]). Particles can have a mass, to see how much inertia matters: it is one more
//! resistance m/Δt in the same system, or particles are moved explicitly by the forces of the same
//! laws. Gluey contacts are constraints: the velocities that balance are projected, in the metric
//! of \\(\mathsf R\\), on those that leave no overlap. Walls and obstacles take part in pairs like
//! particles, but their motion is prescribed and enters the right-hand side.
//!
//! # Symbols
//!
//! | symbol | meaning | in code |
//! |---|---|---|
//! | \\(a_i, a_j, s\\) | radii and their sum | [`laws::Pair::radii`], [`laws::Pair::sum`] |
//! | \\(r, \mathbf n, h\\) | centre distance, unit vector from i to j, gap \\(h = r - s\\) | [`laws::Pair`] |
//! | \\(\dot h, \mathbf v, \mathbf q, \tau\\) | squeeze, slide, roll and twist rates | [`laws::Rates`] |
//! | \\(N, \mathbf T, \mathbf M, Q\\) | tension, shear force, rolling and twisting moment | [`laws::PairForce`] |
//! | \\(\boldsymbol\delta, \boldsymbol\psi\\) | deflection of soft surfaces, \\(\boldsymbol\psi = \mathbf X - \boldsymbol\delta\\) across the film | [`laws::soft::Film`] |
//! | \\(u_n, u, u_e, \varepsilon\\) | gap of undeflected rough spheres, film, deflection \\(u_n - u\\), roughness | [`laws::rough`] |
//! | \\(D, \gamma, \lambda\\) | gap, potential and force of gluey contacts | [`integrate::projected`] |
//! | \\(\mathbf U\\) | velocities and spins relative to the flow | [`state::Velocity`] |
//! | \\(\dot\gamma, \mathsf E^\infty, \boldsymbol\Omega^\infty\\) | shear rate, rate of strain, rotation of the flow | [`drive::Drive`] |
//! | \\(\Sigma, \eta_r, N_1, N_2, \Pi\\) | stress (tension positive) and what is read from it | [`stress`] |
//!
//! x is the flow, y the gradient and z the vorticity direction.
//!
//! # Modules
//!
//! From the top down: each module uses those below it and no other, which `tests/architecture.rs`
//! checks.
//!
//! | module | its one job |
//! |---|---|
//! | [`cli`] | what is typed and what is seen |
//! | [`validate`] | the papers' benchmarks, and the table of what comes out |
//! | [`analysis`] | one configuration on its own (mobility), a case with less and less inertia (crosscheck) |
//! | [`sweep`] | many runs: the grid, its points, their table |
//! | [`run`] | one run in its directory: the loop, outputs, checkpoints, when it is good enough |
//! | [`study`] | what a user asks for: one folder a study, with all that belongs to it |
//! | [`case`](mod@case) | the case file: schema, defaults, checks, overrides |
//! | [`cost`] | what a unit of strain costs: time by stage, solves, memory |
//! | [`integrate`] | four integrators, the only writers of the state in a run |
//! | [`drive`] | what is imposed: flow and external forces, over time |
//! | [`solve`] | linear systems, and projections on velocities that constraints allow |
//! | [`balance`] | pair terms to operator and residual; applies the force of a pair to both particles |
//! | [`stats`] | steady state, means and errors of correlated series, fits, structure |
//! | [`pairs`] | neighbour list with skin, the pairs of a step |
//! | [`pack`] | initial configurations |
//! | [`obstacle`] | walls and obstacles: the nearest point of a surface and its motion |
//! | [`stress`] | the stress tensor by origin |
//! | [`laws`] | one file per pair law |
//! | [`hydro`] | exact hydrodynamics of two spheres: near-contact forms, series, table |
//! | [`rates`] | one pair: geometry, six rates, the forces conjugate to them |
//! | [`state`] | everything that a restart needs, and nothing else |
//! | [`cell`] | open space and boxes that repeat: Lees–Edwards, Kraynik–Reinelt |
//! | [`clock`] | where a run stands: steps, time, strain |
//! | [`record`] | files: one per format, columns of tables, checkpoint, manifest |
//! | [`document`] | TOML files whose values know their lines: decoding, the schema of their keys |
//! | [`error`] | everything that can go wrong |
//! | [`plot`] | figures |
//!
//! # One step
//!
//! ```text
//! Suspension ─ pairs ─▶ geometry, rates ─ laws ─▶ pair terms ─ balance ─▶ operator, residual
//!     ▲                        ▲                                             │ solve
//!     │                        └──── until contacts and friction agree ◀─────┤
//!     └─────────── integrate (positions, pair memory, strain, clock) ◀── velocities
//!                                    │ observe ─▶ stress, powers ─▶ record
//! ```
//!
//! The stages, in the order of the loop of an integrator ([`integrate`]):
//!
//! 1. propose a step, and impose what is due in it;
//! 2. find the pairs and what they remember;
//! 3. solve the balance of forces: linearise the laws, assemble, solve, until they agree;
//! 4. control the error: accept the step, or try a shorter one;
//! 5. observe stress, powers and contacts;
//! 6. move particles, pair memory and clock, and plan the next step.
//!
//! Geometry is that of the middle of the step and laws give mean forces over it, which makes the
//! scheme second order in smooth stretches. With soft or rough particles a step has three such
//! stages, each a backward one, and is of third order.
//!
//! # Adding to it
//!
//! | what | where | example |
//! |---|---|---|
//! | a pair law, with its table in case files | a file in [`laws`], a line in [`laws::REGISTER`] | `examples/custom_pair_law.rs` |
//! | a study | a folder in [`study`], a line in [`study::STUDIES`] | `examples/custom_study.rs` |
//! | an output | a file in [`run::outputs`], a line in its `REGISTER` | `examples/custom_output.rs` |
//! | a column | a line in a table of columns ([`record::column`]) | |
//! | an integrator | a file in [`integrate`], a line in [`integrate::Stepper::new`] | |
//!
//! `examples/bare_velocities.rs` solves for velocities without case, run or files. The pages
//! `docs/developers/architecture.md`, `adding.md` and `numerics.md` say more.
//!
//! # Papers
//!
//! | key | paper |
//! |---|---|
//! | CBC20 | Chèvremont, Bodiguel & Chareyre 2020, lubricated rough contact |
//! | GB20 | Ge & Brandt 2020, hybrid lubrication/granular dynamics |
//! | J92 | Jeffrey 1992, resistance functions of two spheres in a strain |
//! | JO84 | Jeffrey & Onishi 1984, resistance functions of two unequal spheres |
//! | L09 | Lefebvre 2009, gluey particles |
//! | NOP23 | Nijssen, Ottens & Padding 2023, lubricated collisions |
//! | RG09 | Rognon & Gay 2009, Soft Dynamics and the T1 process |
//!
//! Where code departs from print (errata), the module says so.

pub mod analysis;
pub mod balance;
pub mod case;
pub mod cell;
pub mod cli;
pub mod clock;
pub mod cost;
pub mod document;
pub mod drive;
pub mod error;
pub mod hydro;
pub mod integrate;
pub mod laws;
pub mod obstacle;
pub mod pack;
pub mod pairs;
pub mod plot;
pub mod rates;
pub mod record;
pub mod run;
pub mod solve;
pub mod state;
pub mod stats;
pub mod stress;
pub mod study;
pub mod sweep;
pub mod validate;

pub use error::Error;
