//! Model 349 (Orden EHA/769/2010, annex II): a record of the declarant, one of each operator, and one of each
//! correction.

use svc_core::money::{Amount, Currency};

use super::record::Record;
use super::{Declarant, ExportError};
use crate::compute::{Computed, PartyRow};
use crate::period::TaxPeriod;
use crate::value::BoxValue;

pub(super) fn file(computed: &Computed, declarant: &Declarant) -> Result<Vec<u8>, ExportError> {
    let mut bytes = first(computed, declarant)?.line();
    for row in computed.parties.iter().filter(|row| row.rectified.is_none()) {
        let base = base(row, "base");
        let record = operator(computed, declarant, row)?.unsigned("the base", &row.party.id, base, 13)?;
        bytes.extend(record.line());
    }
    for row in &computed.parties {
        if let Some(period) = row.rectified {
            bytes.extend(correction(operator(computed, declarant, row)?, row, &period)?.line());
        }
    }
    Ok(bytes)
}

fn first(computed: &Computed, declarant: &Declarant) -> Result<Record, ExportError> {
    let count = |code: &str| match computed.value(code) {
        Some(BoxValue::Count(count)) => u64::from(count),
        Some(BoxValue::Amount(_) | BoxValue::Percent(_)) | None => 0,
    };
    let amount = |code: &str| computed.amount(code).unwrap_or(Amount::zero(Currency::EUR));
    Record::of_declarant("349", computed.period.year(), declarant)?
        .text(&computed.period.period().to_string(), 2)
        .number("the number of operators", count("01"), 9)?
        .unsigned("the amount of the operations", "total", amount("02"), 15)?
        .number("the number of corrections", count("03"), 9)?
        .unsigned("the amount of the corrections", "total", amount("04"), 15)
}

/// What records of operators and of corrections begin with.
fn operator(computed: &Computed, declarant: &Declarant, row: &PartyRow) -> Result<Record, ExportError> {
    let party = &row.party;
    let tax_id = party.tax_id.as_deref().ok_or_else(|| ExportError::NoTaxId { party: party.id.clone() })?;
    let record = Record::default()
        .text("2349", 4)
        .text(&computed.period.year().to_string(), 4)
        .whole("the tax identifier of the declarant", &declarant.tax_id, 9)?
        .blanks(58)
        .whole("the tax identifier of a party", tax_id, 17)?
        .text(&party.name, 40)
        .text(&row.key, 1);
    Ok(record)
}

fn correction(record: Record, row: &PartyRow, period: &TaxPeriod) -> Result<Record, ExportError> {
    record
        .blanks(13)
        .text(&period.year().to_string(), 4)
        .text(&period.period().to_string(), 2)
        .unsigned("the corrected base", &row.party.id, base(row, "base"), 13)?
        .unsigned("the base declared before", &row.party.id, base(row, "previous_base"), 13)
}

fn base(row: &PartyRow, column: &str) -> Amount {
    row.amount(column).unwrap_or(Amount::zero(Currency::EUR))
}
