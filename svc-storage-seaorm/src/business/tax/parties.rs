//! The rows of parties of a prepared return.

use std::collections::BTreeMap;

use sea_orm::{QueryResult, Value};
use svc_business::tax::returns::{Period, ReturnParty, TaxPeriod, TaxReturn};
use svc_core::error::StoreError;
use svc_core::id::TypedId;
use svc_core::money::{Amount, Currency};

use crate::business::cell::Cell;
use crate::statement::Insertion;
use crate::value::{broken, json};

pub(super) const COLUMNS: [&str; 10] = [
    "contact_id",
    "tax_id",
    "name",
    "country",
    "province",
    "key",
    "mark",
    "corrects_year",
    "corrects_period",
    "amounts",
];
/// So many rows are added by one statement.
const AT_ONCE: usize = 500;

/// The rows of a return on their way into the table.
pub(super) fn insertions(of: &TaxReturn, parties: &[ReturnParty]) -> Vec<Insertion> {
    let columns = COLUMNS.join(", ");
    let into = format!("INSERT INTO svc_tax_return_parties (company_id, return_id, position, {columns})");
    let row = |(at, party): (usize, &ReturnParty)| {
        let mut row: Vec<Value> = vec![of.company.uuid().into(), of.id.uuid().into()];
        row.push(i32::try_from(at).unwrap_or(i32::MAX).into());
        row.extend(values(party));
        row
    };
    let rows: Vec<_> = parties.iter().enumerate().map(row).collect();
    rows.chunks(AT_ONCE).map(|some| Insertion::of_rows(into.clone(), some.to_vec())).collect()
}

fn values(party: &ReturnParty) -> [Value; COLUMNS.len()] {
    let amounts: BTreeMap<&str, i64> =
        party.amounts.iter().map(|(column, amount)| (column.as_str(), amount.minor())).collect();
    [
        party.contact.put(),
        party.tax_id.put(),
        party.name.put(),
        party.country.put(),
        party.province.put(),
        party.key.put(),
        party.mark.put(),
        party.corrects.map(|period| period.year()).put(),
        party.corrects.map(|period| period.period()).put(),
        json(&amounts).put(),
    ]
}

pub(super) fn read(row: &QueryResult) -> Result<ReturnParty, StoreError> {
    let amounts: BTreeMap<String, i64> = serde_json::from_str(&<String as Cell>::take(row, "amounts")?)
        .map_err(|_| broken("tax_return_parties.amounts"))?;
    let amount =
        |(column, cents): (String, i64)| Some((column, Amount::from_minor(cents, Currency::EUR).ok()?));
    let amounts: Option<_> = amounts.into_iter().map(amount).collect();
    let corrects: (Option<i32>, Option<Period>) =
        (Cell::take(row, "corrects_year")?, Cell::take(row, "corrects_period")?);
    let corrects = match corrects {
        (Some(year), Some(period)) => {
            Some(TaxPeriod::new(year, period).map_err(|_| broken("tax_return_parties.corrects_year"))?)
        }
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => return Err(broken("tax_return_parties.corrects_year")),
    };
    Ok(ReturnParty {
        contact: Cell::take(row, "contact_id")?,
        tax_id: Cell::take(row, "tax_id")?,
        name: Cell::take(row, "name")?,
        country: Cell::take(row, "country")?,
        province: Cell::take(row, "province")?,
        key: Cell::take(row, "key")?,
        mark: Cell::take(row, "mark")?,
        corrects,
        amounts: amounts.ok_or_else(|| broken("tax_return_parties.amounts"))?,
    })
}
