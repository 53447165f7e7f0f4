//! Logarithm and logistic function that give the same bits on every machine: a system's own differ in the last place, and
//! a tree may turn on it.

/// The natural logarithm of `1 + value`, to about five digits; 0 for what is below 0.
pub(crate) fn ln_1p(value: f32) -> f32 {
    let number = value.max(0.0) + 1.0;
    let bits = number.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    // ln m = 2 atanh((m - 1) / (m + 1)), a series that is short because m is between 1 and 2.
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let z2 = z * z;
    let series = z * (2.0 + z2 * (2.0 / 3.0 + z2 * (2.0 / 5.0 + z2 * (2.0 / 7.0 + z2 * (2.0 / 9.0)))));
    exponent as f32 * std::f32::consts::LN_2 + series
}

/// The probability that belongs to a logarithm of odds.
pub(crate) fn logistic(log_odds: f32) -> f32 {
    let x = (-log_odds).clamp(-30.0, 30.0) * std::f32::consts::LOG2_E;
    let whole = x.floor();
    let rest = (x - whole) * std::f32::consts::LN_2;
    let power = 1.0
        + rest
            * (1.0
                + rest
                    * (1.0 / 2.0
                        + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    let exp = power * f32::from_bits(((whole as i32 + 127) as u32) << 23);
    1.0 / (1.0 + exp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "it is compared with them")]
    fn close_to_the_true_values() {
        for number in 0..100_000 {
            let value = number as f32 * 1.37;
            assert!((ln_1p(value) - value.ln_1p()).abs() < 2e-5, "{value}");
            let odds = (number as f32 - 50_000.0) / 2_000.0;
            assert!((logistic(odds) - 1.0 / (1.0 + (-odds).exp())).abs() < 1e-5, "{odds}");
        }
        assert_eq!((ln_1p(-3.0), ln_1p(0.0), logistic(0.0)), (0.0, 0.0, 0.5));
        assert!(logistic(1e9) > 0.999 && logistic(-1e9) < 0.001);
    }
}
