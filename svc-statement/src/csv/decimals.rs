//! Amounts, with the decimal separator that all of a file have.

use svc_core::money::{Amount, Currency};

use super::mapping::DecimalSeparator;
use crate::amount::{NoAmount, amount};
use crate::error::ReadError;

/// The longest cell that may be an amount.
const LONGEST: usize = 60;

/// What the amounts of a file have in common.
#[derive(Default)]
pub(super) struct DecimalSurvey {
    comma: bool,
    point: bool,
    either: bool,
}

impl DecimalSurvey {
    pub(super) fn see(&mut self, cell: &str) {
        let Some((_, digits)) = digits(cell) else { return };
        match evidence(&digits) {
            Evidence::Nothing => {}
            Evidence::Comma => self.comma = true,
            Evidence::Point => self.point = true,
            Evidence::Either => self.either = true,
        }
    }

    /// The separator that all amounts agree on. `1.234` alone may be a thousand or one, which is not guessed.
    pub(super) fn separator(&self, wanted: DecimalSeparator) -> Result<char, ReadError> {
        match (wanted, self.comma, self.point) {
            (DecimalSeparator::Comma, _, _) | (DecimalSeparator::Auto, true, false) => Ok(','),
            (DecimalSeparator::Point, _, _) | (DecimalSeparator::Auto, false, true) => Ok('.'),
            (DecimalSeparator::Auto, false, false) if !self.either => Ok(','),
            (DecimalSeparator::Auto, false, false) | (DecimalSeparator::Auto, true, true) => {
                Err(ReadError::Ambiguous { what: "the decimal separator of the amounts" })
            }
        }
    }
}

enum Evidence {
    Nothing,
    Comma,
    Point,
    Either,
}

/// What an amount by itself says: which separators it can be read with.
fn evidence(digits: &str) -> Evidence {
    if !digits.contains([',', '.']) {
        return Evidence::Nothing;
    }
    match (parts(digits, ',').is_some(), parts(digits, '.').is_some()) {
        (true, true) => Evidence::Either,
        (false, false) => Evidence::Nothing,
        (true, false) => Evidence::Comma,
        (false, true) => Evidence::Point,
    }
}

/// The whole part without its thousands, and the decimals.
fn parts(digits: &str, decimal: char) -> Option<(String, &str)> {
    let thousands = if decimal == ',' { '.' } else { ',' };
    let (whole, decimals) = digits.split_once(decimal).unwrap_or((digits, ""));
    let mut groups = whole.split(thousands);
    let first = groups.next().unwrap_or_default();
    let alone = !whole.contains(thousands);
    let begins = alone || ((1..=3).contains(&first.len()) && !first.starts_with('0'));
    let plain = decimals.bytes().all(|byte| byte.is_ascii_digit());
    (begins && plain && groups.all(|group| group.len() == 3))
        .then(|| (whole.replace(thousands, ""), decimals))
}

/// Reads an amount: a sign before or behind or parentheses, a currency sign or code, thousands in groups.
pub(super) fn read(cell: &str, decimal: char, currency: Currency) -> Result<Amount, NoAmount> {
    let (negative, digits) = digits(cell).ok_or(NoAmount::Form)?;
    let (whole, decimals) = parts(&digits, decimal).ok_or(NoAmount::Form)?;
    let size = amount(&whole, decimals, currency)?;
    Ok(if negative { size.negated() } else { size })
}

/// Whether it is negative, and digits with separators, one digit at least.
fn digits(cell: &str) -> Option<(bool, String)> {
    if cell.len() > LONGEST {
        return None;
    }
    // Some banks group thousands by spaces or apostrophes.
    let compact: String =
        cell.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '\'' | '’')).collect();
    let (mut rest, mut negative) = (compact.as_str(), false);
    if let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (rest, negative) = (inside, true);
    }
    rest = without_currency(rest);
    let signs = ['-', '−', '+'];
    let before = rest.chars().next().filter(|sign| signs.contains(sign));
    let behind = rest.chars().next_back().filter(|sign| signs.contains(sign));
    let sign = match (before, behind) {
        (Some(_), Some(_)) => return None,
        (sign, None) | (None, sign) => sign,
    };
    if negative && sign.is_some() {
        return None;
    }
    negative |= sign.is_some_and(|sign| sign != '+');
    rest = without_currency(rest.strip_prefix(signs).or_else(|| rest.strip_suffix(signs)).unwrap_or(rest));
    let plain = rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let any = rest.bytes().any(|byte| byte.is_ascii_digit());
    (plain && any).then(|| (negative, rest.to_owned()))
}

fn without_currency(text: &str) -> &str {
    let is_sign = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '€' | '$' | '£' | '¥');
    let rest = text.trim_matches(is_sign);
    // More letters than a code has are a word.
    if text.chars().count().saturating_sub(rest.chars().count()) <= 3 { rest } else { text }
}
