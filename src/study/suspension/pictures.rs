//! Pictures of particles in open space: where they end, what holds them together, how they came
//! there.
//!
//! `shots` reads the frames of a run, `bodies` draws the outlines of obstacles, `scene` puts both
//! together.

mod bodies;
mod scene;
mod shots;

use std::path::Path;

use nalgebra::Vector3;

use crate::case::{Boundary, Case};
use crate::error::Error;
use crate::integrate::projected::Potential;
use crate::plot::{
    Axis, Colouring, PictureFigure, Scale, Scene, SceneDisc, ScenePath, Tube, View, picture,
};
use crate::record::{BONDS, FRAMES, read_columns};
use scene::Setting;
use shots::{Shots, survey};

/// More particles are not drawn.
const MOST_DRAWN: usize = 20_000;

/// The longer side of a picture, and of one beside others, in pixels.
const SIDE: u32 = 900;
const SIDE_IN_ROW: u32 = 480;

/// Particles whose paths can be told apart.
const MOST_PATHS: usize = 10;

/// Discs along a path.
const STATIONS: usize = 9;

/// The first and the last shot are needed.
const ENDS: usize = 2;

/// Whether a case has pictures: particles in open space, in a plane, among obstacles or gluey.
pub fn has_pictures(case: &Case) -> bool {
    let seen = case.laws.gluey.is_some() || !case.obstacle.is_empty() || case.particles.planar;
    case.domain.boundary == Boundary::Open && seen
}

/// Draws `configuration`, `bonds` if contacts are gluey, and `paths` of a few particles.
///
/// # Errors
///
/// When a file cannot be read or written.
pub fn draw(case: &Case, directory: &Path) -> Result<(), Error> {
    let Some((frames, particles)) = frames_of(case, directory)? else { return Ok(()) };
    let wanted = if particles <= MOST_PATHS { frames } else { ENDS };
    let shots = Shots::read(&directory.join(FRAMES), frames, wanted)?;
    let setting = Setting::new(case, &shots);
    let (last, view) = (shots.len() - 1, setting.view(&shots, shots.len() - 1));
    let figure = setting.figure(vec![(String::new(), setting.scene(&shots, last, view))], SIDE);
    picture(&directory.join("configuration"), &PictureFigure { note: shots.when(last), ..figure })?;
    if case.laws.gluey.is_some() {
        draw_bonds(case, directory, &setting, &shots)?;
    }
    if particles <= MOST_PATHS && frames > 1 {
        draw_paths(directory, &setting, &shots)?;
    }
    Ok(())
}

/// Draws the last configurations of several runs side by side as `stem`; whether there was anything
/// to draw. Each run has a label, its case and its directory.
///
/// # Errors
///
/// When a file cannot be read or written.
pub fn draw_together(stem: &Path, runs: &[(String, Case, &Path)]) -> Result<bool, Error> {
    let mut known = Vec::new();
    for (label, case, directory) in runs {
        if let Some((frames, _)) = frames_of(case, directory)? {
            let shots = Shots::read(&directory.join(FRAMES), frames, ENDS)?;
            known.push((label, Setting::new(case, &shots), shots));
        }
    }
    let Some((_, setting, _)) = known.first() else { return Ok(false) };
    let views = known.iter().map(|(_, setting, shots)| setting.view(shots, shots.len() - 1));
    let view = views.fold(View::NOTHING, View::and);
    let panels = known.iter().map(|(label, setting, shots)| {
        ((*label).clone(), setting.scene(shots, shots.len() - 1, view))
    });
    picture(stem, &setting.figure(panels.collect(), SIDE_IN_ROW))?;
    Ok(true)
}

/// How many frames with how many particles a run has, if it has pictures.
fn frames_of(case: &Case, directory: &Path) -> Result<Option<(usize, usize)>, Error> {
    let path = directory.join(FRAMES);
    if !has_pictures(case) || case.output.frames <= 0.0 || !path.exists() {
        return Ok(None);
    }
    let found = survey(&path)?;
    Ok(Some(found).filter(|(frames, particles)| *frames > 0 && *particles <= MOST_DRAWN))
}

/// `bonds`: who is glued to whom at the end, and how much.
fn draw_bonds(
    case: &Case,
    directory: &Path,
    setting: &Setting,
    shots: &Shots,
) -> Result<(), Error> {
    let path = directory.join(BONDS);
    let Some(gluey) = case.laws.gluey.as_ref().filter(|_| path.exists()) else { return Ok(()) };
    let last = shots.len() - 1;
    // An impulse is not measured by the viscosity.
    let (unit, label) = match gluey.potential {
        Potential::Film => (case.fluid.viscosity, "−γ / μ"),
        Potential::Impulse => (1.0, "−γ"),
    };
    let tubes = tubes(&path, setting, shots, unit)?;
    let mut scene = setting.scene(shots, last, setting.view(shots, last));
    scene.discs.iter_mut().for_each(|disc| disc.strength = 1.0);
    scene.balls = false;
    let scale = scale(label, &tubes, gluey.least(case.fluid.viscosity) / unit);
    scene.tubes = tubes;
    let figure = PictureFigure {
        colouring: Colouring::Pale,
        key: Vec::new(),
        scale,
        note: shots.when(last),
        ..setting.figure(vec![(String::new(), scene)], SIDE)
    };
    picture(&directory.join("bonds"), &figure)?;
    Ok(())
}

/// The pairs that touch in the last shot, and −γ of those that are glued.
fn tubes(path: &Path, setting: &Setting, shots: &Shots, unit: f64) -> Result<Vec<Tube>, Error> {
    let table = read_columns(path)?;
    let [times, from, to, gamma] =
        ["time", "i", "j", "gamma"].map(|name| table.column(name).unwrap_or_default());
    let shot = shots.last();
    let rows = times.iter().zip(from).zip(to).zip(gamma);
    // Rows have the time of their frame to the last bit.
    let seen = rows.filter(|(((time, _), _), _)| **time == shot.time);
    let tube = |(((_, i), j), gamma): (((&f64, &f64), &f64), &f64)| {
        let (i, j) = (*i as usize, *j as usize);
        let start: &Vector3<f64> = shot.positions.get(i)?;
        let end = match shot.positions.get(j) {
            Some(partner) => *partner,
            None => setting.foot(j - shot.positions.len(), start, shot.time)?,
        };
        let value = (*gamma < 0.0).then_some(-gamma / unit);
        Some(Tube { from: [start.x, start.y], to: [end.x, end.y], value })
    };
    Ok(seen.filter_map(tube).collect())
}

/// The scale of −γ: from 0 to the most that there can be or is; in ratios where it varies much
/// without a bound.
fn scale(label: &str, tubes: &[Tube], least: f64) -> Option<Axis> {
    let mut values: Vec<f64> = tubes.iter().filter_map(|tube| tube.value).collect();
    values.sort_by(f64::total_cmp);
    let most = *values.last()?;
    let low = values[values.len() / 50];
    Some(match -least {
        bound if bound.is_finite() && bound < 4.0 * most => Axis::linear(label).between(0.0, bound),
        _ if most > 50.0 * low => {
            Axis { scale: Scale::Log, ..Axis::linear(label) }.between(low, most)
        }
        _ => Axis::linear(label).between(0.0, most),
    })
}

/// `paths`: where the centres went, with discs at several times that become stronger.
fn draw_paths(directory: &Path, setting: &Setting, shots: &Shots) -> Result<(), Error> {
    let all: Vec<usize> = (0..shots.len()).collect();
    let view = all.iter().fold(View::NOTHING, |view, k| view.and(setting.view(shots, *k)));
    let mut scene: Scene = setting.scene(shots, shots.len() - 1, view);
    let stations = shots.evenly(STATIONS);
    let strength = |k: usize| 0.2 + 0.8 * (k as f64 / (stations.len() - 1).max(1) as f64).powi(2);
    let discs = stations.iter().enumerate().flat_map(|(k, shot)| {
        let discs = setting.scene(shots, *shot, view).discs;
        discs.into_iter().map(move |disc| SceneDisc { strength: strength(k), ..disc })
    });
    scene.discs = discs.collect();
    let path = |particle: usize| ScenePath { points: shots.path(particle), group: particle };
    scene.paths = (0..shots.last().positions.len()).map(path).collect();
    scene.balls = false;
    let figure = setting.figure(vec![(String::new(), scene)], SIDE);
    let note = format!("{} to {}", shots.when(0), shots.when(shots.len() - 1));
    picture(&directory.join("paths"), &PictureFigure { note, ..figure })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tube(value: Option<f64>) -> Tube {
        Tube { from: [0.0; 2], to: [1.0; 2], value }
    }

    #[test]
    fn the_scale_ends_at_the_bound_or_at_the_most() {
        let tubes = [tube(None), tube(Some(0.5)), tube(Some(1.0))];
        let range = |least: f64| scale("", &tubes, least).unwrap().range;
        assert_eq!(range(-2.0), Some((0.0, 2.0)));
        assert_eq!(range(-200.0), Some((0.0, 1.0)));
        assert_eq!(range(f64::NEG_INFINITY), Some((0.0, 1.0)));
        assert!(scale("", &tubes[..1], -1.0).is_none());
        let wide = scale("", &[tube(Some(0.01)), tube(Some(90.0))], f64::NEG_INFINITY).unwrap();
        assert_eq!((wide.scale, wide.range), (Scale::Log, Some((0.01, 90.0))));
    }
}
