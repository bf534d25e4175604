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
        let Some(figure) = figure(cell) else { return };
        match evidence(&figure.digits) {
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

/// Whether a cell is an amount above zero without a sign.
pub(super) fn is_positive(cell: &str) -> bool {
    let any = |digits: &str| digits.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    figure(cell).is_some_and(|figure| !figure.is_negative && any(&figure.digits))
}

/// Reads an amount: a sign before or behind or parentheses, thousands in groups, and the account's currency or a mark of
/// its side.
pub(super) fn read(cell: &str, decimal: char, currency: Currency) -> Result<Amount, NoAmount> {
    let figure = figure(cell).ok_or(NoAmount::Form)?;
    let (whole, decimals) = parts(&figure.digits, decimal).ok_or(NoAmount::Form)?;
    let size = amount(&whole, decimals, currency)?;
    let is_debit = match figure.letters.to_ascii_uppercase().as_str() {
        "D" | "DB" | "DR" => true,
        "H" | "C" | "CR" => false,
        letters if letters.is_empty() || is_of(letters, currency) => {
            return Ok(if figure.is_negative { size.negated() } else { size });
        }
        _ => return Err(NoAmount::Currency),
    };
    // A side beside a sign could be read in two ways.
    if figure.is_negative {
        return Err(NoAmount::Form);
    }
    Ok(if is_debit { size.negated() } else { size })
}

/// Whether these are the code or the sign of a currency.
fn is_of(letters: &str, currency: Currency) -> bool {
    let code = currency.code();
    let signs: &[&str] = match code {
        "EUR" => &["€"],
        "USD" => &["$", "US$"],
        "GBP" => &["£"],
        "JPY" | "CNY" => &["¥"],
        "ARS" | "AUD" | "CAD" | "CLP" | "COP" | "HKD" | "MXN" | "NZD" | "SGD" => &["$"],
        _ => &[],
    };
    letters == code || signs.contains(&letters)
}

/// What a cell with an amount is made of.
struct Figure {
    is_negative: bool,
    /// Digits with separators, one digit at least.
    digits: String,
    /// A currency or a side.
    letters: String,
}

fn figure(cell: &str) -> Option<Figure> {
    if cell.len() > LONGEST {
        return None;
    }
    // Some banks group thousands by spaces or apostrophes.
    let compact: String =
        cell.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '\'' | '’')).collect();
    let (mut rest, mut is_negative) = (compact.as_str(), false);
    if let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (rest, is_negative) = (inside, true);
    }
    let mut letters = String::new();
    rest = without_letters(rest, &mut letters);
    let signs = ['-', '−', '+'];
    let before = rest.chars().next().filter(|sign| signs.contains(sign));
    let behind = rest.chars().next_back().filter(|sign| signs.contains(sign));
    let sign = match (before, behind) {
        (Some(_), Some(_)) => return None,
        (sign, None) | (None, sign) => sign,
    };
    if is_negative && sign.is_some() {
        return None;
    }
    is_negative |= sign.is_some_and(|sign| sign != '+');
    rest = rest.strip_prefix(signs).or_else(|| rest.strip_suffix(signs)).unwrap_or(rest);
    rest = without_letters(rest, &mut letters);
    let plain = rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let any = rest.bytes().any(|byte| byte.is_ascii_digit());
    (plain && any).then(|| Figure { is_negative, digits: rest.to_owned(), letters })
}

/// The text without the letters around it, which go to `letters`.
fn without_letters<'t>(text: &'t str, letters: &mut String) -> &'t str {
    let is_sign = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '€' | '$' | '£' | '¥');
    let behind = text.trim_start_matches(is_sign);
    let rest = behind.trim_end_matches(is_sign);
    let before = text.strip_suffix(behind).unwrap_or_default();
    let after = behind.strip_prefix(rest).unwrap_or_default();
    let around: String = before.chars().chain(after.chars()).collect();
    // More letters than a code has are a word.
    if around.chars().count() > 3 {
        return text;
    }
    letters.push_str(&around);
    rest
}
