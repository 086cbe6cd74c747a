//! Particles and obstacles where they are, in a part of a canvas.

use plotters::backend::DrawingBackend;
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::{Color, RGBColor};

use super::canvas::{Canvas, Drawn};
use super::colour_bar::ColourBar;
use super::configuration::ball;
use super::frame::Place;
use super::outline::{Point, View, band, clipped};
use super::style::{UNITS, colour, deep, pale, stroke};

/// What is seen at one time, along z.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// What of the plane is shown.
    pub view: View,
    /// Particles.
    pub discs: Vec<SceneDisc>,
    /// Obstacles, under the particles.
    pub bodies: Vec<Body>,
    /// Lines between partners, over the particles.
    pub tubes: Vec<Tube>,
    /// Where centres came along, over the particles.
    pub paths: Vec<ScenePath>,
    /// Whether particles are balls with light on them, near ones over far ones, rather than flat.
    pub balls: bool,
}

/// A particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SceneDisc {
    /// Where it is. `[a]`
    pub centre: [f64; 3],
    /// Radius. `[a]`
    pub radius: f64,
    /// Which of the colours it has.
    pub group: usize,
    /// How strong the colour is: 1 is full, 0 is white.
    pub strength: f64,
}

/// An obstacle.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Filled polygons.
    Solid(Vec<Vec<Point>>),
    /// A wall beside a path, which has the particles to its left.
    Wall {
        /// Its corners. `[a]`
        path: Vec<Point>,
        /// Whether the last corner is joined to the first.
        closed: bool,
    },
}

/// A line between two partners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tube {
    /// One end. `[a]`
    pub from: Point,
    /// The other. `[a]`
    pub to: Point,
    /// What the colour of a thick line tells; without it the line is thin and grey.
    pub value: Option<f64>,
}

/// Where a centre came along.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenePath {
    /// Its places. `[a]`
    pub points: Vec<Point>,
    /// Which of the colours it has.
    pub group: usize,
}

/// Which colours particles have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colouring {
    /// A dark and a light one.
    Halves,
    /// Four, as layers of sand.
    Bands,
    /// One for each.
    Each,
    /// All the same, pale.
    #[default]
    Pale,
}

const DARK: RGBColor = RGBColor(44, 56, 84);
const LIGHT: RGBColor = RGBColor(244, 190, 92);
const LAYERS: [RGBColor; 4] =
    [DARK, RGBColor(46, 134, 171), RGBColor(244, 190, 92), RGBColor(200, 85, 45)];
const SHADOW: RGBColor = RGBColor(232, 234, 238);

/// Obstacles and walls.
const STONE: RGBColor = RGBColor(164, 166, 172);
const WALL: RGBColor = RGBColor(96, 98, 104);

/// Partners that touch and no more.
const THIN: RGBColor = RGBColor(120, 120, 126);

/// More particles have no rims, which keeps files small.
const RIMS: usize = 5000;

/// Width of walls, over the longer side of the picture.
const WALL_WIDTH: f64 = 0.008;

impl Colouring {
    /// The colour of a group.
    pub(super) fn colour(self, group: usize) -> RGBColor {
        match self {
            Colouring::Halves => [DARK, LIGHT][group % 2],
            Colouring::Bands => LAYERS[group % LAYERS.len()],
            Colouring::Each => colour(group),
            Colouring::Pale => SHADOW,
        }
    }
}

/// A scene at its place on a canvas.
pub(super) struct Stage<'a, DB: DrawingBackend> {
    pub canvas: &'a Canvas<DB>,
    pub place: Place,
    pub scene: &'a Scene,
    pub colouring: Colouring,
    pub bar: Option<&'a ColourBar>,
}

impl<DB: DrawingBackend> Stage<'_, DB> {
    /// Everything.
    pub fn draw(&self) -> Drawn<DB> {
        for body in &self.scene.bodies {
            self.body(body)?;
        }
        self.discs()?;
        for path in &self.scene.paths {
            let points = path.points.iter().map(|p| self.at(*p)).collect::<Vec<_>>();
            let line = stroke(deep(self.colouring.colour(path.group), 0.8), 3.0);
            self.canvas.draw(&PathElement::new(points, line))?;
        }
        self.tubes()
    }

    /// Grid units per unit of length.
    fn scale(&self) -> f64 {
        f64::from(self.place.right - self.place.left) / self.scene.view.sides()[0]
    }

    /// Grid units of a point.
    fn at(&self, [x, y]: Point) -> (i32, i32) {
        let View { low, high } = self.scene.view;
        let right = self.place.left + ((x - low[0]) * self.scale()).round() as i32;
        (right, self.place.top + ((high[1] - y) * self.scale()).round() as i32)
    }

    fn polygon(&self, corners: &[Point], fill: RGBColor) -> Drawn<DB> {
        let seen = clipped(corners, &self.scene.view);
        if seen.len() < 3 {
            return Ok(());
        }
        let corners: Vec<_> = seen.into_iter().map(|p| self.at(p)).collect();
        self.canvas.draw(&Polygon::new(corners, fill.filled()))
    }

    fn body(&self, body: &Body) -> Drawn<DB> {
        match body {
            Body::Solid(parts) => parts.iter().try_for_each(|part| self.polygon(part, STONE)),
            Body::Wall { path, closed } => {
                let [width, height] = self.scene.view.sides();
                self.polygon(&band(path, *closed, WALL_WIDTH * width.max(height)), WALL)
            }
        }
    }

    /// The particles that are wholly inside.
    fn discs(&self) -> Drawn<DB> {
        let Scene { discs, view, balls, .. } = self.scene;
        let mut seen: Vec<&SceneDisc> = discs
            .iter()
            .filter(|disc| view.holds([disc.centre[0], disc.centre[1]], disc.radius))
            .collect();
        if *balls {
            seen.sort_by(|a, b| a.centre[2].total_cmp(&b.centre[2]));
        }
        for disc in seen {
            let base = pale(self.colouring.colour(disc.group), disc.strength);
            let centre = self.at([disc.centre[0], disc.centre[1]]);
            let radius = disc.radius * self.scale();
            if *balls {
                ball(self.canvas, centre, radius, base)?;
            } else {
                self.flat(centre, radius, base)?;
            }
        }
        Ok(())
    }

    /// A disc with a rim, unless there are many or it is small.
    fn flat(&self, centre: (i32, i32), radius: f64, base: RGBColor) -> Drawn<DB> {
        let unit = f64::from(UNITS);
        let rim = (0.12 * radius).min(2.0 * unit);
        if self.scene.discs.len() > RIMS || radius < 3.0 * unit {
            return self.canvas.draw(&Circle::new(centre, radius.round() as i32, base.filled()));
        }
        let (outer, inner) = (radius.round() as i32, (radius - rim).round() as i32);
        self.canvas.draw(&Circle::new(centre, outer, deep(base, 0.6).filled()))?;
        self.canvas.draw(&Circle::new(centre, inner, base.filled()))
    }

    /// Thin lines, then thick ones, the weakest first.
    fn tubes(&self) -> Drawn<DB> {
        let radii = self.scene.discs.iter().map(|disc| disc.radius);
        let mean = radii.sum::<f64>() / self.scene.discs.len().max(1) as f64;
        let thick = (0.55 * mean * self.scale() / f64::from(UNITS)).clamp(2.0, 11.0);
        let mut tubes: Vec<&Tube> = self.scene.tubes.iter().collect();
        let strength = |tube: &Tube| tube.value.unwrap_or(f64::NEG_INFINITY);
        tubes.sort_by(|a, b| strength(a).total_cmp(&strength(b)));
        for tube in tubes {
            let line = match (tube.value, self.bar) {
                (Some(value), Some(bar)) => stroke(bar.colour(value), thick),
                _ => stroke(THIN, (0.2 * thick).max(1.0)),
            };
            let ends = vec![self.at(tube.from), self.at(tube.to)];
            self.canvas.draw(&PathElement::new(ends, line))?;
        }
        Ok(())
    }
}
