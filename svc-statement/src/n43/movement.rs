//! Record 22: one movement.

use svc_core::money::Currency;

use super::record::{Record, Side};
use crate::error::ReadError;
use crate::model::Movement;
use crate::text;

/// Reads it. The side is told besides, for an amount of nothing has no sign and is counted all the same.
pub(super) fn read(record: &Record, currency: Currency) -> Result<(Movement, Side), ReadError> {
    record.digits_or_blank(7, 10, "office")?;
    let booked = record.date(11, "operation date")?;
    // Some banks leave it out, as zeros or spaces.
    let value = if record.text(17, 22).trim_matches(['0', ' ']).is_empty() {
        booked
    } else {
        record.date(17, "value date")?
    };
    let common = record.digits_or_blank(23, 24, "common concept")?;
    let own = record.digits_or_blank(25, 27, "own concept")?;
    let side = record.side(28, "sign of the amount")?;
    let amount = record.amount(side, 29, currency, "amount")?;
    let document = record.digits_or_blank(43, 52, "document number")?;

    let mut movement = Movement::new(record.number(), booked, value, amount);
    movement.bank_code = match (common, own) {
        (Some(common), Some(own)) => Some(format!("{common}-{own}")),
        (Some(common), None) => Some(common),
        (None, _) => None,
    };
    for reference in [document.unwrap_or_default(), record.text(53, 64), record.text(65, 80)] {
        text::add_reference(&mut movement.references, &reference);
    }
    Ok((movement, side))
}
