//! Numbers as people write them.

/// A value and its standard error with the digits the error allows, such as `64.2 ± 1.9`.
///
/// Without an error, or with none to speak of, four digits are shown.
pub fn with_error(value: f64, stderr: Option<f64>) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let error = stderr.filter(|e| e.is_finite() && *e > 0.0);
    let size = error.map_or(value.abs(), |e| value.abs().max(e));
    let power = if (1e-3..1e5).contains(&size) || size == 0.0 { 0 } else { decade(size) };
    let unit = 10f64.powi(power);
    let last = match error {
        Some(error) => decade(error / unit) - 1,
        None if value == 0.0 => 0,
        None => decade(value.abs() / unit) - 3,
    };
    let mantissa = rounded(value / unit, last);
    let both = match error {
        Some(error) => format!("{mantissa} ± {}", rounded(error / unit, last)),
        None => mantissa,
    };
    match (power, error) {
        (0, _) => both,
        (_, None) => format!("{both}×{}", power_of_ten(power)),
        (_, Some(_)) => format!("({both})×{}", power_of_ten(power)),
    }
}

/// A number on an axis whose ticks are `step` apart.
pub(super) fn tick(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-9 * step { 0.0 } else { value };
    if value != 0.0 && (step >= 9.99e4 || value.abs().max(step) < 1e-3) {
        let power = decade(value.abs() * (1.0 + 1e-12));
        let unit = 10f64.powi(power);
        let mantissa = rounded(value / unit, last_digit(step / unit));
        return scaled(&mantissa, power);
    }
    rounded(value, last_digit(step))
}

/// Numbers that stand together, with at most three digits each, two if three are not exact either:
/// all plain, or, if one of them is very small or very large, all with a power of ten.
pub(super) fn alike(values: &[f64]) -> Vec<String> {
    let plain = |v: &f64| *v == 0.0 || !v.is_finite() || (0.999e-3..0.999e5).contains(&v.abs());
    let plain = values.iter().all(plain);
    let exact = |v: f64| format!("{v:.2e}").parse().is_ok_and(|r: f64| (r / v - 1.0).abs() < 1e-6);
    let rough = |v: &f64| short(*v, if exact(*v) { 2 } else { 1 }, plain);
    let labels: Vec<String> = values.iter().map(rough).collect();
    let repeated = |k: usize| labels[..k].contains(&labels[k]);
    if (0..labels.len()).any(repeated) {
        return values.iter().map(|value| short(*value, 2, plain)).collect();
    }
    labels
}

/// A number with at most `decimals` digits after the first.
fn short(value: f64, decimals: usize, plain: bool) -> String {
    let digits = format!("{value:.decimals$e}");
    match digits.split_once('e').and_then(|(m, p)| Some((m, p.parse().ok()?))) {
        Some((mantissa, power)) if !plain && value != 0.0 => {
            let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
            scaled(&mantissa.replace('-', "−"), power)
        }
        _ => digits.parse().unwrap_or(value).to_string().replace('-', "−"),
    }
}

/// A mantissa times a power of ten.
fn scaled(mantissa: &str, power: i32) -> String {
    match mantissa {
        "1" => power_of_ten(power),
        "−1" => format!("−{}", power_of_ten(power)),
        _ => format!("{mantissa}×{}", power_of_ten(power)),
    }
}

/// The exponent of the last digit that multiples of a step need, at most 0.
fn last_digit(step: f64) -> i32 {
    let first = decade(step * (1.0 + 1e-12));
    let leading = step / 10f64.powi(first);
    let whole = (leading - leading.round()).abs() < 1e-6;
    if whole { first.min(0) } else { (first - 1).min(0) }
}

/// The exponent of the leading digit of a positive number.
fn decade(value: f64) -> i32 {
    value.log10().floor() as i32
}

/// A number rounded at the digit 10^`last`, with a true minus sign.
fn rounded(value: f64, last: i32) -> String {
    let unit = 10f64.powi(last);
    let value = if last > 0 { (value / unit).round() * unit } else { value };
    let text = format!("{value:.*}", (-last).max(0) as usize);
    let nothing = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if nothing { text.replace('-', "") } else { text.replace('-', "−") }
}

/// `10ⁿ`.
fn power_of_ten(power: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", power.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_sets_the_digits() {
        assert_eq!(with_error(64.234, Some(1.87)), "64.2 ± 1.9");
        assert_eq!(with_error(-3.24159, Some(0.042)), "−3.242 ± 0.042");
        assert_eq!(with_error(6423.0, Some(187.0)), "6420 ± 190");
        assert_eq!(with_error(0.0, Some(0.3)), "0.00 ± 0.30");
        assert_eq!(with_error(642_300.0, Some(18_700.0)), "(6.42 ± 0.19)×10⁵");
        assert_eq!(with_error(2.0e-5, Some(1.0e-6)), "(2.00 ± 0.10)×10⁻⁵");
    }

    #[test]
    fn without_an_error_four_digits_are_shown() {
        assert_eq!(with_error(64.2345, None), "64.23");
        assert_eq!(with_error(0.0, None), "0");
        assert_eq!(with_error(64.2345, Some(0.0)), "64.23");
        assert_eq!(with_error(1.5e7, None), "1.500×10⁷");
        assert_eq!(with_error(f64::NAN, Some(1.0)), "NaN");
    }

    #[test]
    fn ticks_have_the_digits_of_their_step() {
        assert_eq!(tick(0.30000000000000004, 0.1), "0.3");
        assert_eq!(tick(-20.0, 10.0), "−20");
        assert_eq!(tick(1e-17, 0.2), "0.0");
        assert_eq!(tick(5.0, 2.5), "5.0");
        assert_eq!(tick(75.0, 25.0), "75");
        assert_eq!(tick(0.5, 0.25), "0.50");
        assert_eq!(tick(1e5, 1e5), "10⁵");
        assert_eq!(tick(-2e-4, 1e-4), "−2×10⁻⁴");
        assert_eq!(tick(1e12, 1e12), "10¹²");
    }

    #[test]
    fn numbers_that_stand_together_look_alike() {
        assert_eq!(alike(&[1e-3, 0.0125, 1.0, 1e4]), ["0.001", "0.0125", "1", "10000"]);
        assert_eq!(alike(&[1e-4, 9.999e-3, 0.1]), ["10⁻⁴", "10⁻²", "10⁻¹"]);
        assert_eq!(alike(&[-1.778e-4, 0.0, 1.0]), ["−1.8×10⁻⁴", "0", "10⁰"]);
        assert_eq!(alike(&[1.234e-2, 1.241e-2]), ["0.0123", "0.0124"]);
        assert_eq!(alike(&[f64::NAN, -2.5]), ["NaN", "−2.5"]);
    }
}
