//! Parties and their accounts.

use super::walk::Walk;
use crate::error::ReadError;

/// The number of an account.
pub(super) struct Number {
    pub(super) iban: Option<String>,
    pub(super) other: Option<String>,
}

/// `IBAN` or `Othr/Id` of the identification that is open.
pub(super) fn account_number(walk: &mut Walk<'_>) -> Result<Number, ReadError> {
    let mut number = Number { iban: None, other: None };
    while let Some(name) = walk.next()? {
        match name {
            "IBAN" => number.iban = Some(walk.text()?),
            "Othr" => number.other = walk.find("Id", &[])?,
            _ => walk.skip()?,
        }
    }
    Ok(number)
}

/// The name of the party that is open: `Nm` in .02, `Pty/Nm` in .08.
pub(super) fn name(walk: &mut Walk<'_>) -> Result<Option<String>, ReadError> {
    walk.find("Nm", &["Pty"])
}

/// One side of a payment.
#[derive(Clone, Default)]
pub(super) struct Side {
    pub(super) name: Option<String>,
    pub(super) account: Option<String>,
}

/// Who paid, and who was paid.
#[derive(Clone, Default)]
pub(super) struct Sides {
    pub(super) debtor: Side,
    pub(super) creditor: Side,
}

/// Reads `RltdPties`.
pub(super) fn sides(walk: &mut Walk<'_>) -> Result<Sides, ReadError> {
    let mut sides = Sides::default();
    while let Some(element) = walk.next()? {
        match element {
            "Dbtr" => sides.debtor.name = name(walk)?,
            "DbtrAcct" => sides.debtor.account = walk.find("IBAN", &["Id"])?,
            "Cdtr" => sides.creditor.name = name(walk)?,
            "CdtrAcct" => sides.creditor.account = walk.find("IBAN", &["Id"])?,
            _ => walk.skip()?,
        }
    }
    Ok(sides)
}
