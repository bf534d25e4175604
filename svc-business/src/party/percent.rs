//! Percentages as canonical text.

/// The canonical form of a percentage from 0 to 100 with at most `digits`
/// fraction digits: no leading or trailing zeros, no sign, no exponent.
pub(crate) fn percent(text: &str, digits: usize) -> Option<String> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text, ""),
    };
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let padded = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || padded || !plain(whole) || !plain(fraction) || fraction.len() > digits {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let number: u32 = whole.parse().ok()?;
    if number > 100 || (number == 100 && !fraction.is_empty()) {
        return None;
    }
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_has_one_text() {
        for (text, canonical) in
            [("15", "15"), ("15.00", "15"), ("5.20", "5.2"), ("0", "0"), ("100.0000", "100")]
        {
            assert_eq!(percent(text, 4).as_deref(), Some(canonical));
        }
        for text in ["", "-1", "100.01", "101", "1.23456", "015", ".5", "5.", "1e1", "1,5", " 5", "+5"] {
            assert_eq!(percent(text, 4), None, "{text}");
        }
    }
}
