//! What of a run is in a picture, and in which colours.

use nalgebra::Vector3;

use super::bodies::{Sight, corners, outlines};
use super::shots::Shots;
use crate::case::Case;
use crate::obstacle::{Obstacles, Shape};
use crate::plot::{Body, Colouring, PictureFigure, Scene, SceneDisc, View};

/// Room around what is shown, over its longer side.
const MARGIN: f64 = 0.03;

/// Particles that are further away from where anything was at first have gone, over its longer
/// side.
const GONE: f64 = 0.25;

/// Planes that are further away are not shown, over the longer side of what is.
const FARTHEST_PLANE: f64 = 1.5;

/// A slender picture is longer by so much at most.
const SLENDER: f64 = 1.3;

/// More particles are flat.
const BALLS: usize = 500;

/// Particles with a colour each.
const MOST_COLOURED: usize = 6;

/// Layers of initial height.
const LAYERS: usize = 4;

/// What is the same at all times of a run.
pub(super) struct Setting {
    obstacles: Obstacles,
    radii: Vec<f64>,
    colouring: Colouring,
    key: Vec<String>,
    /// The colour of each particle.
    groups: Vec<usize>,
    sight: Sight,
    /// Where particles count.
    known: Option<View>,
    balls: bool,
}

impl Setting {
    /// Of a case whose first frame is known.
    pub fn new(case: &Case, shots: &Shots) -> Self {
        let obstacles = case.obstacles();
        let initial = &shots.first().positions;
        let held = discs(initial, &shots.radii);
        let middle = held.middle();
        let depth = initial.iter().map(|x| x.z).sum::<f64>() / initial.len() as f64;
        let extent = bodies_of(&obstacles).fold(held, |view, x| view.with([x.x, x.y], 0.0));
        let sight = Sight {
            middle: Vector3::new(middle[0], middle[1], depth),
            far: 1e3 * extent.sides()[0].max(extent.sides()[1]),
        };
        let (colouring, key, groups) = colours(case, initial);
        let finite = corners(&all_outlines(&obstacles, 0.0, sight), sight)
            .fold(View::NOTHING, |view, corner| view.with(corner, 0.0));
        let known = (!finite.is_empty()).then(|| {
            let all = finite.and(held);
            all.grown(GONE * all.sides()[0].max(all.sides()[1]))
        });
        let balls = !case.particles.planar && initial.len() <= BALLS;
        let radii = shots.radii.clone();
        Setting { obstacles, radii, colouring, key, groups, sight, known, balls }
    }

    /// What is to be seen of a shot: obstacles, and particles that have not left all of them.
    pub fn view(&self, shots: &Shots, k: usize) -> View {
        let shot = shots.get(k);
        let bodies = all_outlines(&self.obstacles, shot.time, self.sight);
        let mut view =
            corners(&bodies, self.sight).fold(View::NOTHING, |view, corner| view.with(corner, 0.0));
        for (x, a) in shot.positions.iter().zip(&self.radii) {
            if self.known.is_none_or(|known| known.holds([x.x, x.y], *a)) {
                view = view.with([x.x, x.y], *a);
            }
        }
        let longer = view.sides()[0].max(view.sides()[1]);
        for body in self.obstacles.bodies() {
            if let Shape::Plane { point, normal } = &body.shape {
                let normal = body.turned(shot.time) * normal;
                let middle = Vector3::new(view.middle()[0], view.middle()[1], self.sight.middle.z);
                let distance = normal.dot(&(middle - body.carried(point, shot.time)));
                let foot = middle - distance * normal;
                if distance.abs() < FARTHEST_PLANE * longer && normal.z.abs() < 0.5 {
                    view = view.with([foot.x, foot.y], MARGIN * longer);
                }
            }
        }
        view.framed(MARGIN)
    }

    /// Particles and obstacles of a shot.
    pub fn scene(&self, shots: &Shots, k: usize, view: View) -> Scene {
        let shot = shots.get(k);
        let disc = |(i, x): (usize, &Vector3<f64>)| SceneDisc {
            centre: (*x).into(),
            radius: self.radii[i],
            group: self.groups[i],
            strength: 1.0,
        };
        Scene {
            view,
            discs: shot.positions.iter().enumerate().map(disc).collect(),
            bodies: all_outlines(&self.obstacles, shot.time, self.sight),
            balls: self.balls,
            ..Scene::default()
        }
    }

    /// A picture of scenes, in the colours of this run.
    pub fn figure(&self, panels: Vec<(String, Scene)>, side: u32) -> PictureFigure {
        let (colouring, key) = (self.colouring, self.key.clone());
        let [width, height] = panels.first().map_or([1.0; 2], |(_, scene)| scene.view.sides());
        // A slender picture may be longer.
        let slender = (width / height).max(height / width).sqrt().min(SLENDER);
        let side = (f64::from(side) * slender).round() as u32;
        PictureFigure { panels, colouring, key, side, ..PictureFigure::default() }
    }

    /// Where a particle at `x` is nearest to a surface of an obstacle.
    pub fn foot(&self, surface: usize, x: &Vector3<f64>, time: f64) -> Option<Vector3<f64>> {
        let known = surface < self.obstacles.surfaces();
        known.then(|| self.obstacles.foot(surface, x, time))?.map(|foot| foot.point)
    }
}

/// The least rectangle that holds all particles.
fn discs(positions: &[Vector3<f64>], radii: &[f64]) -> View {
    positions.iter().zip(radii).fold(View::NOTHING, |view, (x, a)| view.with([x.x, x.y], *a))
}

/// A point of each body.
fn bodies_of(obstacles: &Obstacles) -> impl Iterator<Item = Vector3<f64>> {
    obstacles.bodies().iter().map(|body| body.shape.middle())
}

fn all_outlines(obstacles: &Obstacles, time: f64, sight: Sight) -> Vec<Body> {
    obstacles.bodies().iter().flat_map(|body| outlines(body, time, sight)).collect()
}

/// The colours of particles: one for each of a few; by the side where they begin in a closed vessel
/// in the plane; else by layers of initial height.
fn colours(case: &Case, initial: &[Vector3<f64>]) -> (Colouring, Vec<String>, Vec<usize>) {
    if initial.len() <= MOST_COLOURED {
        let name = |k: usize| format!("particle {k}");
        let key = (0..initial.len()).map(name).collect();
        return (Colouring::Each, key, (0..initial.len()).collect());
    }
    let within = |k: usize| {
        let along = initial.iter().map(|x| x[k]);
        let (low, high) = along.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        move |x: &Vector3<f64>| if high > low { (x[k] - low) / (high - low) } else { 0.0 }
    };
    if case.particles.planar && in_a_vessel(case) {
        let share = within(0);
        let key = ["at first on the left", "at first on the right"].map(String::from).to_vec();
        return (
            Colouring::Halves,
            key,
            initial.iter().map(|x| usize::from(share(x) >= 0.5)).collect(),
        );
    }
    let share = within(1);
    let layer = |x: &Vector3<f64>| ((LAYERS as f64 * share(x)) as usize).min(LAYERS - 1);
    let key = ["lowest at first", "second", "third", "highest"].map(String::from).to_vec();
    (Colouring::Bands, key, initial.iter().map(layer).collect())
}

/// Whether particles are in a closed box, cylinder or sphere.
fn in_a_vessel(case: &Case) -> bool {
    let obstacles = case.obstacles();
    obstacles.bodies().iter().any(|body| match body.shape {
        Shape::Box { inside, open, .. } => inside && !open.contains(&true),
        Shape::Cylinder { inside, .. } | Shape::Sphere { inside, .. } => inside,
        _ => false,
    })
}
