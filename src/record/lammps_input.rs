//! What an input file of LAMMPS says of the laws between spheres and of the flow.
//!
//! Read are `variable`, `pair_style`, `pair_coeff`, `fix … deform` and `set … density`; of pair
//! styles `lubricate`, `lubricate/poly` and `gran/hooke/history`, alone or in `hybrid/overlay`.
//! Everything else passes by: the file is not run, so loops, conditions and other files that it
//! includes are not followed, and where they come in that is said.

use std::path::Path;

use super::lammps_expression::Variables;
use super::lines::{Lines, finite};
use crate::Error;

/// What an input says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LammpsInput {
    /// Films between spheres.
    pub lubricate: Option<Lubricate>,
    /// Springs between spheres that touch.
    pub hooke: Option<Hooke>,
    /// The shear rate, `fix … deform … xy erate` `[1/t]`.
    pub rate: Option<f64>,
    /// The density of all spheres.
    pub density: Option<f64>,
    /// What was seen and not taken.
    pub notes: Vec<String>,
}

/// `lubricate` or `lubricate/poly`.
#[derive(Debug, Clone, PartialEq)]
pub struct Lubricate {
    /// Whether it is the one for spheres of several sizes.
    pub poly: bool,
    /// Viscosity of the fluid.
    pub viscosity: f64,
    /// Centre distances at which films are cut off, inner and outer, of all types.
    pub cutoffs: [f64; 2],
    /// Those of pairs of types: the first and last type of either, and the distances.
    pub of_types: Vec<([[u32; 2]; 2], [f64; 2])>,
    /// Whether the logarithms are taken.
    pub logarithms: bool,
    /// Whether spheres are dragged.
    pub drag: bool,
    /// Whether the drag depends on the volume fraction.
    pub crowded_drag: bool,
}

/// `gran/hooke/history`.
#[derive(Debug, Clone, PartialEq)]
pub struct Hooke {
    /// Normal stiffness, force per overlap.
    pub normal: f64,
    /// Tangential stiffness.
    pub tangential: f64,
    /// Damping of the normal motion, per mass.
    pub damping: f64,
    /// Friction coefficient.
    pub friction: f64,
}

impl Lubricate {
    /// The distances at which films between two types are cut off, inner and outer.
    pub fn cutoffs_of(&self, types: [u32; 2]) -> [f64; 2] {
        let among = |kind: u32, [first, last]: [u32; 2]| (first..=last).contains(&kind);
        let [i, j] = types;
        let fits = |[a, b]: [[u32; 2]; 2]| among(i, a) && among(j, b) || among(j, a) && among(i, b);
        let last = self.of_types.iter().rev().find(|(types, _)| fits(*types));
        last.map_or(self.cutoffs, |(_, cutoffs)| *cutoffs)
    }
}

/// Reads an input; `given` are the variables of the command line, `-var NAME VALUE`.
///
/// # Errors
///
/// When the file cannot be read, or a number of a command that matters is not known.
pub fn read_lammps_input(path: &Path, given: &[(String, String)]) -> Result<LammpsInput, Error> {
    let mut lines = Lines::open(path)?;
    let mut input = LammpsInput::default();
    let mut variables = Variables::given(given);
    while let Some(mut line) = lines.read()? {
        while let Some(begun) = line.trim_end().strip_suffix('&') {
            line = format!("{begun} {}", lines.next("what follows the `&`")?);
        }
        let command = line.split('#').next().unwrap_or_default();
        input.take(command, &mut variables).map_err(|e| lines.bad(e))?;
    }
    Ok(input)
}

impl LammpsInput {
    /// Takes up a command.
    fn take(&mut self, command: &str, variables: &mut Variables) -> Result<(), String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["variable", ref rest @ ..] => variables.define(rest),
            ["pair_style", ..] => self.pair_style(&arguments(command, variables)?)?,
            ["pair_coeff", ..] => self.pair_coeff(&arguments(command, variables)?)?,
            ["fix", _, _, "deform", ..] => self.deform(&arguments(command, variables)?)?,
            // Balances do without it.
            ["set", _, _, "density", density] => self.density = variables.number(density).ok(),
            ["include" | "jump" | "if", ..] => {
                self.notes.push(format!("`{}` is not followed", command.trim()));
            }
            _ => {}
        }
        Ok(())
    }

    fn pair_style(&mut self, words: &[String]) -> Result<(), String> {
        (self.lubricate, self.hooke) = (None, None);
        let styles = match words.first().map(String::as_str) {
            Some("hybrid" | "hybrid/overlay") => split_styles(&words[1..]),
            _ => vec![words],
        };
        for style in styles {
            let Some((name, rest)) = style.split_first() else { continue };
            match name.trim_end_matches("/omp").trim_end_matches("/kk") {
                "lubricate" => self.lubricate = Some(lubricate(false, rest)?),
                "lubricate/poly" => self.lubricate = Some(lubricate(true, rest)?),
                "gran/hooke/history" => self.hooke = Some(hooke(rest)?),
                other => self.notes.push(format!("the pair style `{other}` has no equal here")),
            }
        }
        Ok(())
    }

    fn pair_coeff(&mut self, words: &[String]) -> Result<(), String> {
        let [first, second, rest @ ..] = words else { return Ok(()) };
        let Some(lubricate) = &mut self.lubricate else { return Ok(()) };
        // In hybrids the style comes first.
        let rest = match rest.first().filter(|word| finite(word).is_none()) {
            Some(style) if style.starts_with("lubricate") => &rest[1..],
            Some(_) => return Ok(()),
            None => rest,
        };
        let [inner, outer, ..] = rest else { return Ok(()) };
        let types = [types(first)?, types(second)?];
        lubricate.of_types.push((types, [number(inner)?, number(outer)?]));
        Ok(())
    }

    fn deform(&mut self, words: &[String]) -> Result<(), String> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some(at) = words.iter().position(|word| *word == "xy") else {
            self.notes.push("fix deform without xy is not taken".to_owned());
            return Ok(());
        };
        match words[at + 1..] {
            ["erate", rate, ..] => self.rate = Some(number(rate)?),
            [style, ..] => {
                self.notes.push(format!("fix deform xy {style} is not taken; set drive.rate"));
            }
            [] => {}
        }
        if !words.windows(2).any(|pair| pair == ["remap", "v"]) {
            self.notes.push(
                "fix deform without `remap v`: velocities do not jump at the boundary, and are not \
                 those that are compared here"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// The words behind the command, variables replaced.
fn arguments(command: &str, variables: &Variables) -> Result<Vec<String>, String> {
    let expanded = variables.expand(command)?;
    Ok(expanded.split_whitespace().skip(1).map(str::to_owned).collect())
}

/// The styles of a hybrid, each with its arguments: numbers and `NULL` are arguments.
fn split_styles(words: &[String]) -> Vec<&[String]> {
    let begins = |word: &String| finite(word).is_none() && word != "NULL";
    let mut starts: Vec<usize> = (0..words.len()).filter(|k| begins(&words[*k])).collect();
    starts.push(words.len());
    starts.windows(2).map(|ends| &words[ends[0]..ends[1]]).collect()
}

fn number(word: &str) -> Result<f64, String> {
    finite(word).ok_or_else(|| format!("`{word}` is not a finite number"))
}

/// `mu flaglog flagfld cutinner cutoff [flagHI flagVF]`.
fn lubricate(poly: bool, words: &[String]) -> Result<Lubricate, String> {
    let numbers: Result<Vec<f64>, String> = words.iter().map(|word| number(word)).collect();
    let numbers = numbers?;
    let &[viscosity, logarithms, drag, inner, outer, ref flags @ ..] = &numbers[..] else {
        return Err("lubricate needs mu flaglog flagfld cutinner cutoff".to_owned());
    };
    if flags.first() == Some(&0.0) {
        return Err("lubricate with flagHI 0 has no films".to_owned());
    }
    Ok(Lubricate {
        poly,
        viscosity,
        cutoffs: [inner, outer],
        of_types: Vec::new(),
        logarithms: logarithms != 0.0,
        drag: drag != 0.0,
        crowded_drag: flags.get(1) != Some(&0.0),
    })
}

/// `Kn Kt gamma_n gamma_t xmu dampflag`.
fn hooke(words: &[String]) -> Result<Hooke, String> {
    let [normal, tangential, damping, _, friction, ..] = words else {
        return Err("gran/hooke/history needs Kn Kt gamma_n gamma_t xmu dampflag".to_owned());
    };
    let normal = number(normal)?;
    let tangential = if tangential == "NULL" { 2.0 / 7.0 * normal } else { number(tangential)? };
    Ok(Hooke { normal, tangential, damping: number(damping)?, friction: number(friction)? })
}

/// The first and the last type that a word like `2`, `*`, `2*` or `*3` stands for.
fn types(word: &str) -> Result<[u32; 2], String> {
    let end = |word: &str, default| match word {
        "" => Ok(default),
        word => word.parse().map_err(|_| format!("`{word}` is no type of atoms")),
    };
    match word.split_once('*') {
        Some((first, last)) => Ok([end(first, 1)?, end(last, u32::MAX)?]),
        None => end(word, 0).map(|kind| [kind; 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    fn read(text: &str, given: &[(&str, &str)]) -> Result<LammpsInput, Error> {
        let scratch = Scratch::new();
        let path = scratch.file("in.shear");
        std::fs::write(&path, text).unwrap();
        let given: Vec<_> = given.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
        read_lammps_input(&path, &given)
    }

    const BIDISPERSE: &str = "units lj\nset group all density ${St}\nvariable L equal ly\n\
        pair_style hybrid/overlay gran/hooke/history ${kn} NULL 0.0 NULL ${xmu} 0 &\n\
        \x20 lubricate/poly 1.0 1 1 2.01 2.5 1 0 # films\n\
        pair_coeff * * gran/hooke/history\npair_coeff 1 1 lubricate/poly $(2.0+v_hin) 2.5\n\
        pair_coeff 1 2 lubricate/poly $(2.4+v_hin) 2.9\n\
        pair_coeff 2 2 lubricate/poly $(2.8+v_hin) 3.3\n\
        fix 2 all deform 1 xy erate 2.0 remap v\n";

    #[test]
    fn laws_and_flow_of_an_input_are_found() {
        let given = [("St", "1e-2"), ("kn", "2e4"), ("xmu", "0.5"), ("hin", "0.01")];
        let input = read(BIDISPERSE, &given).unwrap();
        let hooke = input.hooke.as_ref().unwrap();
        assert_eq!((hooke.normal, hooke.friction, hooke.damping), (2e4, 0.5, 0.0));
        assert!((hooke.tangential / hooke.normal - 2.0 / 7.0).abs() < 1e-15);
        assert_eq!((input.rate, input.density), (Some(2.0), Some(0.01)));
        let films = input.lubricate.as_ref().unwrap();
        assert!(films.poly && films.logarithms && films.drag && !films.crowded_drag);
        for (types, expected) in
            [([1, 1], [2.01, 2.5]), ([2, 1], [2.41, 2.9]), ([2, 2], [2.81, 3.3])]
        {
            let found = films.cutoffs_of(types);
            assert!((found[0] - expected[0]).abs() < 1e-14 && found[1] == expected[1], "{found:?}");
        }
        assert!(input.notes.is_empty(), "{:?}", input.notes);
        // Without the density there is no Stokes number, but all else.
        let light = read(BIDISPERSE, &given[1..]).unwrap();
        assert_eq!((light.density, &light.lubricate), (None, &input.lubricate));
        let error = read(BIDISPERSE, &given[2..]).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "in.shear:5: the variable `kn` is not known; give it as on the \
                                 command line of LAMMPS, --lammps-var kn=…"
            ),
            "{error}"
        );
    }

    #[test]
    fn what_is_not_taken_is_said() {
        let text = "pair_style lubricate 1.5 1 1 2.01 2.5\npair_coeff * *\ninclude more.in\n\
                    fix 1 all deform 1 xy vel 3.0\n";
        let input = read(text, &[]).unwrap();
        let films = input.lubricate.unwrap();
        assert!(!films.poly && films.crowded_drag);
        assert_eq!((films.viscosity, films.cutoffs_of([1, 1])), (1.5, [2.01, 2.5]));
        assert_eq!((input.hooke, input.rate), (None, None));
        let said = input.notes.join("; ");
        for part in ["include more.in", "xy vel is not taken", "remap v"] {
            assert!(said.contains(part), "{said}");
        }
        let error = read("pair_style lubricate 1 1\n", &[]).unwrap_err().to_string();
        assert!(error.contains("in.shear:1: lubricate needs mu flaglog"), "{error}");
        let other = read("pair_style hybrid/overlay colloid 5 lubricate 1 1 1 2 3\n", &[]).unwrap();
        assert_eq!(other.notes, ["the pair style `colloid` has no equal here"]);
    }
}
