//! Which end of a table is the newest, and whether its balances agree.

use svc_core::money::Amount;

use super::layout::Layout;
use crate::amount::shown;
use crate::error::{Place, ReadError};
use crate::model::{Movement, Statement, Warning};

/// Turns the movements so that the oldest comes first, and takes opening and closing from their balances.
pub(super) fn arrange(statement: &mut Statement, layout: &Layout) -> Result<(), ReadError> {
    let dated = newest_first_by_date(&statement.movements);
    let balances: Option<Vec<Amount>> =
        statement.movements.iter().map(|movement| movement.balance_after).collect();
    let Some(balances) = balances.filter(|balances| !balances.is_empty()) else {
        statement.warnings.push(Warning::NotProven);
        if dated == Some(true) {
            statement.movements.reverse();
        }
        return Ok(());
    };
    let forward = Breaks::of(statement.movements.iter().zip(&balances));
    let backward = Breaks::of(statement.movements.iter().zip(&balances).rev());
    let is_even = forward.count == backward.count;
    let newest_first = match (forward.count, backward.count) {
        (here, there) if here == there => dated == Some(true),
        (here, there) => there < here,
    };
    let breaks = if newest_first { backward } else { forward };
    if let (Some(broken), Some(column)) = (breaks.first, layout.balance) {
        return Err(ReadError::Inconsistent {
            place: Place::Cell { line: broken.line, column: layout.title(column) },
            figure: "the balance",
            stated: broken.stated.to_string(),
            computed: shown(broken.computed, broken.stated.currency()),
        });
    }
    if newest_first {
        statement.movements.reverse();
    }
    let Some((first, last)) = statement.movements.first().zip(statement.movements.last()) else {
        return Ok(());
    };
    let (opening, closing) = ends(first, last);
    if is_even && dated.is_none() && (opening, closing) != ends(last, first) {
        // Either end may be the newest, and nothing says which.
        statement.warnings.push(Warning::NotProven);
        return Ok(());
    }
    (statement.opening, statement.closing) = (opening, closing);
    Ok(())
}

/// The balances before the oldest movement and behind the newest one.
fn ends(oldest: &Movement, newest: &Movement) -> (Option<Amount>, Option<Amount>) {
    let opening = oldest.balance_after.and_then(|after| after.minus(oldest.amount).ok());
    (opening, newest.balance_after)
}

/// Whether dates go down; `None` when they go both ways or stay.
fn newest_first_by_date(movements: &[Movement]) -> Option<bool> {
    let dates = || movements.iter().map(|movement| movement.booking_date);
    let pairs = || dates().zip(dates().skip(1));
    let (up, down) = (pairs().any(|(one, next)| next > one), pairs().any(|(one, next)| next < one));
    if up == down { None } else { Some(down) }
}

/// Balances that do not follow from the one before.
struct Breaks {
    count: usize,
    first: Option<Break>,
}

struct Break {
    line: u32,
    stated: Amount,
    computed: i128,
}

impl Breaks {
    /// Goes through movements from the oldest.
    fn of<'m>(movements: impl Iterator<Item = (&'m Movement, &'m Amount)>) -> Self {
        let mut breaks = Self { count: 0, first: None };
        let mut before: Option<&Amount> = None;
        for (movement, stated) in movements {
            if let Some(before) = before {
                let computed = i128::from(before.minor()).saturating_add(i128::from(movement.amount.minor()));
                if computed != i128::from(stated.minor()) {
                    breaks.count = breaks.count.saturating_add(1);
                    let line = movement.position;
                    breaks.first = breaks.first.or(Some(Break { line, stated: *stated, computed }));
                }
            }
            before = Some(stated);
        }
        breaks
    }
}
