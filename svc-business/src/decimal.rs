//! Decimals that are held as integers: how they are read and written.

/// The decimal in units of its last digit: `"1.5"` of 6 digits is 1,500,000.
///
/// `None` unless the text is a plain decimal with at most that many fraction digits: an optional `-`, no `+`,
/// no exponent, no zeros in front; or when it is beyond an `i64`.
pub(crate) fn read(text: &str, digits: usize) -> Option<i64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (unsigned, ""),
    };
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let padded = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || padded || !plain(whole) || !plain(fraction) || fraction.len() > digits {
        return None;
    }
    let units: i64 = format!("{whole}{fraction:0<digits$}").parse().ok()?;
    if unsigned.len() == text.len() { Some(units) } else { units.checked_neg() }
}

/// The one text of a decimal of so many units of its last digit: no zeros at its end.
pub(crate) fn write(units: i64, digits: usize) -> String {
    let sign = if units.is_negative() { "-" } else { "" };
    // One digit more than the fraction, so that there is always a whole part.
    let all = format!("{:0>width$}", units.unsigned_abs(), width = digits.saturating_add(1));
    let (whole, fraction) = all.split_at(all.len().saturating_sub(digits));
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_decimal_has_one_text() {
        for (text, units, canonical) in [
            ("0", 0, "0"),
            ("-0", 0, "0"),
            ("1.50", 1_500_000, "1.5"),
            ("-0.000001", -1, "-0.000001"),
            ("120", 120_000_000, "120"),
        ] {
            assert_eq!(read(text, 6), Some(units), "{text}");
            assert_eq!(write(units, 6), canonical);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "-", "+1", "--1", "1.", ".5", "01", "1e3", "1,5", " 1", "1.0000000", "٣", "9223372036855"]
        {
            assert_eq!(read(text, 6), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_decimal_survives_its_text(units in -i64::MAX..=i64::MAX, digits in 0_usize..=8) {
            prop_assert_eq!(read(&write(units, digits), digits), Some(units));
        }
    }
}
