//! Sums and what is checked by them.

use svc_core::money::{Amount, Currency};

use crate::error::{Place, ReadError};
use crate::model::Statement;

/// Why digits are not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAmount {
    /// Not of the form, or with more decimals than the currency has.
    Form,
    /// Larger than any.
    Range,
    /// In another currency.
    Currency,
}

/// Whole part and decimals to an amount. Zeros behind the decimals of the currency are none.
pub(crate) fn amount(whole: &str, decimals: &str, currency: Currency) -> Result<Amount, NoAmount> {
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let decimals = decimals.trim_end_matches('0');
    let digits = usize::try_from(currency.digits()).unwrap_or(0);
    if !plain(whole) || !plain(decimals) || decimals.len() > digits {
        return Err(NoAmount::Form);
    }
    let whole = whole.trim_start_matches('0');
    let minor: i64 = format!("0{whole}{decimals:0<digits$}").parse().map_err(|_| NoAmount::Range)?;
    Amount::from_minor(minor, currency).and_then(Amount::stated).map_err(|_| NoAmount::Range)
}

/// Refuses a statement whose opening balance and movements do not make its closing one.
pub(crate) fn check_closing(statement: &Statement, place: Place) -> Result<(), ReadError> {
    let (Some(opening), Some(closing)) = (statement.opening, statement.closing) else { return Ok(()) };
    let movements = statement.movements.iter().map(|movement| i128::from(movement.amount.minor()));
    let computed = movements.fold(i128::from(opening.minor()), i128::saturating_add);
    if computed == i128::from(closing.minor()) {
        return Ok(());
    }
    Err(ReadError::Inconsistent {
        place,
        figure: "the closing balance",
        stated: closing.to_string(),
        computed: shown(computed, closing.currency()),
    })
}

/// Minor units as a decimal, however large.
pub(crate) fn shown(minor: i128, currency: Currency) -> String {
    let narrow = i64::try_from(minor).ok().and_then(|minor| Amount::from_minor(minor, currency).ok());
    narrow.map_or_else(|| format!("{minor} minor units"), |amount| amount.to_string())
}
