//! Lines of documents.

use serde_json::{Value, json};

use super::chance::Chance;
use super::words::Item;

/// So much of one of the items, at a price within its own.
pub(super) fn line(chance: &mut Chance, items: &[Item]) -> Value {
    let Item { description, unit, kind, price, most } = chance.one(items);
    let cents = chance.within(price.0, price.1);
    json!({"description": description, "unit": unit, "itemType": kind, "unitPrice": amount(cents.into()),
        "quantity": chance.within(1, *most).to_string()})
}

/// Cents as a decimal string.
pub(super) fn amount(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
