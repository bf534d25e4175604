//! Rows that correct an earlier declaration: what was declared, and what should have been.

use svc_core::money::{Amount, Currency};

use super::previous::Previous;
use super::{ComputeError, PartyRow, Warning};
use crate::model::Model;

/// The columns of what is declared, and of what was declared before.
const BASE: &str = "base";
const BEFORE: &str = "previous_base";

/// Turns the difference that rectifications make into the base before and the base after.
pub(super) fn complete(
    model: Model,
    rows: &mut [PartyRow],
    previous: &Previous,
) -> Result<Vec<Warning>, ComputeError> {
    let mut warnings = Vec::new();
    for row in rows {
        let Some(period) = row.rectified else { continue };
        let declared = declared(model, row, previous);
        if declared.is_none() {
            warnings.push(Warning::NotDeclaredBefore { party: row.party.id.clone(), period });
        }
        let nothing = Amount::zero(Currency::EUR);
        let before = declared.unwrap_or(nothing);
        let difference = row.amount(BASE).unwrap_or(nothing);
        let after = before.plus(difference).map_err(ComputeError::range(&row.key))?;
        row.amounts.insert(BEFORE.to_owned(), before);
        row.amounts.insert(BASE.to_owned(), after);
    }
    Ok(warnings)
}

/// What was declared of the same party and key last: by the return itself, or by one that corrected it since.
fn declared(model: Model, row: &PartyRow, previous: &Previous) -> Option<Amount> {
    let mut last = None;
    for one in previous.of(model) {
        let of_row = |candidate: &&PartyRow| {
            let itself = Some(one.period) == row.rectified && candidate.rectified.is_none();
            let same = candidate.key == row.key && candidate.party.grouping() == row.party.grouping();
            same && (itself || candidate.rectified == row.rectified)
        };
        if let Some(found) = one.parties.iter().find(of_row) {
            last = found.amount(BASE).or(last);
        }
    }
    last
}
