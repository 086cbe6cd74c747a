//! Particles and obstacles where they are, in a part of a canvas.

use super::canvas::{Canvas, Place, Xy, short};
use super::colour_bar::ColourBar;
use super::outline::{Point, View, band};
use super::style::{
    Colour, Fill, HALVES, LAYERS, MEDIUM, SHADOW, STONE, TOUCH, WALL, colour, deep, pale, stroke,
};

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

/// More particles have no rims, which keeps files small.
const RIMS: usize = 5000;

/// Width of walls, over the longer side of the picture.
const WALL_WIDTH: f64 = 0.008;

impl Colouring {
    /// The colour of a group.
    pub(super) fn colour(self, group: usize) -> Colour {
        match self {
            Colouring::Halves => HALVES[group % 2],
            Colouring::Bands => LAYERS[group % LAYERS.len()],
            Colouring::Each => colour(group),
            Colouring::Pale => SHADOW,
        }
    }
}

/// The light on a ball, from the upper left.
pub(super) const LIGHT: &str = "<radialGradient id=\"light\" cx=\"0.32\" cy=\"0.32\" r=\"0.72\">\
    <stop offset=\"0\" stop-color=\"#fff\" stop-opacity=\"0.7\"/>\
    <stop offset=\"0.55\" stop-color=\"#fff\" stop-opacity=\"0\"/>\
    <stop offset=\"0.75\" stop-color=\"#000\" stop-opacity=\"0\"/>\
    <stop offset=\"1\" stop-color=\"#000\" stop-opacity=\"0.45\"/></radialGradient>";

/// A scene at its place on a canvas.
pub(super) struct Stage<'a> {
    pub place: Place,
    pub scene: &'a Scene,
    pub colouring: Colouring,
    pub bar: Option<&'a ColourBar>,
}

impl Stage<'_> {
    /// Everything.
    pub fn draw(&self, canvas: &mut Canvas) {
        canvas.inside(self.place, |canvas| {
            for body in &self.scene.bodies {
                self.body(canvas, body);
            }
            self.discs(canvas);
            for path in &self.scene.paths {
                let line = stroke(deep(self.colouring.colour(path.group), 0.8), MEDIUM);
                canvas.line(&self.all_at(&path.points), line);
            }
            self.tubes(canvas);
        });
    }

    /// Pixels per unit of length.
    fn scale(&self) -> f64 {
        self.place.width() / self.scene.view.sides()[0]
    }

    /// The pixel of a point.
    fn at(&self, [x, y]: Point) -> Xy {
        let View { low, high } = self.scene.view;
        let right = self.place.left + (x - low[0]) * self.scale();
        (right, self.place.top + (high[1] - y) * self.scale())
    }

    fn all_at(&self, points: &[Point]) -> Vec<Xy> {
        points.iter().map(|point| self.at(*point)).collect()
    }

    fn body(&self, canvas: &mut Canvas, body: &Body) {
        match body {
            Body::Solid(parts) => {
                for part in parts {
                    canvas.polygon(&self.all_at(part), Fill(STONE));
                }
            }
            Body::Wall { path, closed } => {
                let [width, height] = self.scene.view.sides();
                let wall = band(path, *closed, WALL_WIDTH * width.max(height));
                canvas.polygon(&self.all_at(&wall), Fill(WALL));
            }
        }
    }

    /// The particles that are wholly inside.
    fn discs(&self, canvas: &mut Canvas) {
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
                canvas.circle(centre, radius, Fill(base));
                canvas.circle(centre, radius, "fill=\"url(#light)\"");
            } else {
                self.flat(canvas, centre, radius, base);
            }
        }
    }

    /// A disc with a rim, unless there are many or it is small.
    fn flat(&self, canvas: &mut Canvas, centre: Xy, radius: f64, base: Colour) {
        if self.scene.discs.len() > RIMS || radius < 3.0 {
            return canvas.circle(centre, radius, Fill(base));
        }
        let rim = short((0.12 * radius).min(2.0));
        let paint = format!("{} stroke=\"{}\" stroke-width=\"{rim}\"", Fill(base), deep(base, 0.6));
        canvas.circle(centre, radius - 0.5 * rim, paint);
    }

    /// Thin lines, then thick ones, the weakest first.
    fn tubes(&self, canvas: &mut Canvas) {
        let radii = self.scene.discs.iter().map(|disc| disc.radius);
        let mean = radii.sum::<f64>() / self.scene.discs.len().max(1) as f64;
        let thick = short((0.55 * mean * self.scale()).clamp(2.0, 11.0));
        let mut tubes: Vec<&Tube> = self.scene.tubes.iter().collect();
        let strength = |tube: &Tube| tube.value.unwrap_or(f64::NEG_INFINITY);
        tubes.sort_by(|a, b| strength(a).total_cmp(&strength(b)));
        for tube in tubes {
            let line = match (tube.value, self.bar) {
                (Some(value), Some(bar)) => stroke(bar.colour(value), thick),
                _ => stroke(TOUCH, short((0.2 * thick).max(1.0))),
            };
            canvas.line(&[self.at(tube.from), self.at(tube.to)], line);
        }
    }
}
