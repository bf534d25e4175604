//! Percentages as canonical text.

use crate::decimal;

/// The canonical form of a percentage from 0 to 100 with at most `digits`
/// fraction digits: no leading or trailing zeros, no sign, no exponent.
pub(crate) fn percent(text: &str, digits: usize) -> Option<String> {
    let units = decimal::read(text, digits).filter(|_| !text.starts_with('-'))?;
    (units <= decimal::read("100", digits)?).then(|| decimal::write(units, digits))
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
