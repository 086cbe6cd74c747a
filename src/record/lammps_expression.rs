//! Numbers of LAMMPS inputs: variables (`variable NAME equal …`, `${NAME}`) and the arithmetic of
//! `equal` and `$(…)`.

use std::collections::HashMap;

/// How deep variables may refer to each other.
const DEEPEST: usize = 50;

/// The variables of an input: expressions, or texts.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables(HashMap<String, Variable>);

#[derive(Debug, Clone)]
enum Variable {
    /// `equal`: a formula.
    Formula(String),
    /// `index`, `string`: a text; what the command line gives counts more.
    Text(String),
}

impl Variables {
    /// Those of the command line, `-var NAME VALUE`.
    pub fn given(values: &[(String, String)]) -> Self {
        let text = |(name, value): &(String, String)| (name.clone(), Variable::Text(value.clone()));
        Variables(values.iter().map(text).collect())
    }

    /// Takes up a command `variable NAME STYLE …`.
    pub fn define(&mut self, words: &[&str]) {
        let &[name, style, ref rest @ ..] = words else { return };
        let joined = rest.join(" ");
        let text = joined.trim_matches(['"', '\'']).to_owned();
        match style {
            "equal" => {
                self.0.insert(name.to_owned(), Variable::Formula(text));
            }
            // These keep the value that they have.
            "index" | "string" | "getenv" | "world" | "universe" => {
                let first = if style == "index" { rest.first().copied() } else { Some(&*text) };
                let first = first.unwrap_or_default().to_owned();
                self.0.entry(name.to_owned()).or_insert(Variable::Text(first));
            }
            _ => {}
        }
    }

    /// A text with `${NAME}`, `$x` and `$(…)` replaced.
    pub fn expand(&self, text: &str) -> Result<String, String> {
        self.expand_at(text, 0)
    }

    fn expand_at(&self, text: &str, depth: usize) -> Result<String, String> {
        let Some(at) = text.find('$') else { return Ok(text.to_owned()) };
        let (before, rest) = (&text[..at], &text[at + 1..]);
        let (value, after) = if let Some(inside) = rest.strip_prefix('{') {
            let (name, after) = inside.split_once('}').ok_or("a `${` does not close")?;
            (self.text(name, depth)?, after)
        } else if let Some(inside) = rest.strip_prefix('(') {
            let end = closing(inside).ok_or("a `$(` does not close")?;
            // A format may follow the formula: $(x:%g).
            let formula = inside[..end].split(":%").next().unwrap_or_default();
            (self.number_at(formula, depth)?.to_string(), &inside[end + 1..])
        } else {
            let end = rest.char_indices().nth(1).map_or(rest.len(), |(k, _)| k);
            (self.text(&rest[..end], depth)?, &rest[end..])
        };
        Ok(format!("{before}{value}{}", self.expand_at(after, depth)?))
    }

    fn text(&self, name: &str, depth: usize) -> Result<String, String> {
        if depth > DEEPEST {
            return Err(format!("the variable `{name}` refers to itself"));
        }
        match self.0.get(name) {
            Some(Variable::Text(text)) => self.expand_at(text, depth + 1),
            Some(Variable::Formula(formula)) => Ok(self.number_at(formula, depth + 1)?.to_string()),
            None => Err(format!(
                "the variable `{name}` is not known; give it as on the command line of LAMMPS, \
                 --lammps-var {name}=…"
            )),
        }
    }

    /// The value of a formula.
    pub fn number(&self, formula: &str) -> Result<f64, String> {
        self.number_at(formula, 0)
    }

    fn number_at(&self, formula: &str, depth: usize) -> Result<f64, String> {
        let text: String =
            self.expand_at(formula, depth)?.chars().filter(|c| !c.is_whitespace()).collect();
        let mut parser = Parser { rest: &text, variables: self, depth };
        let value = parser.sum()?;
        match parser.rest {
            "" if value.is_finite() => Ok(value),
            "" => Err(format!("`{formula}` is not a finite number")),
            rest => Err(format!("`{rest}` in the formula `{formula}` is not understood")),
        }
    }
}

/// Where the bracket closes that is open at the beginning.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1;
    for (k, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(k);
        }
    }
    None
}

/// Reads a formula from left to right.
struct Parser<'a> {
    rest: &'a str,
    variables: &'a Variables,
    depth: usize,
}

impl Parser<'_> {
    /// Passes over one of some characters.
    fn take(&mut self, any: &[char]) -> Option<char> {
        let next = self.rest.chars().next().filter(|c| any.contains(c))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let other = self.product()?;
            value += if sign == '+' { other } else { -other };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.power()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let other = self.power()?;
            if sign == '*' { value *= other } else { value /= other }
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, String> {
        if self.take(&['-']).is_some() {
            return Ok(-self.power()?);
        }
        let value = self.atom()?;
        match self.take(&['^']) {
            Some(_) => Ok(value.powf(self.power()?)),
            None => Ok(value),
        }
    }

    fn atom(&mut self) -> Result<f64, String> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return self.take(&[')']).map(|_| value).ok_or("a bracket does not close".to_owned());
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.literal();
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if let Some(name) = word.strip_prefix("v_") {
            let text = self.variables.text(name, self.depth + 1)?;
            return self.variables.number_at(&text, self.depth + 1);
        }
        if word == "PI" {
            return Ok(std::f64::consts::PI);
        }
        let function: fn(f64) -> f64 = match word {
            "sqrt" => f64::sqrt,
            "exp" => f64::exp,
            "ln" => f64::ln,
            "log" => f64::log10,
            "abs" => f64::abs,
            "ceil" => f64::ceil,
            "floor" => f64::floor,
            "round" => f64::round,
            _ => return Err(format!("`{word}` is only known while LAMMPS runs")),
        };
        self.take(&['(']).ok_or_else(|| format!("`{word}` has no argument"))?;
        let value = function(self.sum()?);
        self.take(&[')']).map(|_| value).ok_or("a bracket does not close".to_owned())
    }

    /// A number as it is written, perhaps with an exponent.
    fn literal(&mut self) -> Result<f64, String> {
        let mut end = 0;
        let bytes = self.rest.as_bytes();
        while end < bytes.len() {
            let exponent = end > 0 && matches!(bytes[end - 1], b'e' | b'E');
            match bytes[end] {
                b'0'..=b'9' | b'.' | b'e' | b'E' => {}
                b'+' | b'-' if exponent => {}
                _ => break,
            }
            end += 1;
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.parse().map_err(|_| format!("`{word}` is not a number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> Variables {
        let mut variables = Variables::given(&[("hin".to_owned(), "0.01".to_owned())]);
        for line in
            ["hin index 0.5", "cin equal 2.0+${hin}", "n equal ceil(v_cin/1e-1)", "x index 3"]
        {
            variables.define(&line.split_whitespace().collect::<Vec<_>>());
        }
        variables.define(&["turn", "equal", "v_turn"]);
        variables
    }

    #[test]
    fn formulas_have_the_values_that_lammps_gives_them() {
        let variables = variables();
        for (formula, value) in [
            ("2+3*4", 14.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("(1+2)/4", 0.75),
            ("1e-3*2.5E+2", 0.25),
            ("8/4/2", 1.0),
            ("sqrt(16)*PI/PI", 4.0),
            ("v_cin", 2.01),
            ("v_n", 21.0),
            (" 2.0 + v_hin ", 2.01),
        ] {
            let found = variables.number(formula).unwrap_or_else(|e| panic!("{formula}: {e}"));
            assert!((found - value).abs() < 1e-14, "{formula}: {found}");
        }
        assert_eq!(
            variables.expand("a ${cin} $x $(2*(v_hin+1):%.2f) b").unwrap(),
            "a 2.01 3 2.02 b"
        );
    }

    #[test]
    fn what_is_not_known_is_named() {
        let variables = variables();
        for (text, expected) in [
            ("${kn}", "--lammps-var kn=…"),
            ("$(ly)", "`ly` is only known while LAMMPS runs"),
            ("${turn}", "refers to itself"),
            ("$(2+)", "`` is only known"),
            ("${cin", "does not close"),
        ] {
            let error = variables.expand(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
