//! Supplier documents: approved, paid, or left for review; some bring a fixed asset.

use serde_json::{Value, json};
use time::Date;

use super::assets;
use super::chance::Chance;
use super::sales::{amount, half};
use super::tally::Tally;
use super::words::{ASSETS, BOUGHT, Item};
use super::year::Year;
use crate::commands::demo::api::Api;
use crate::commands::demo::story::{id, text};
use crate::failure::Failure;

const SEED: u64 = 3;

/// Writes so many documents in the order of their days.
pub(super) async fn write(
    api: &Api,
    suppliers: &[String],
    year: &Year,
    count: u32,
    tally: &Tally,
) -> Result<(), Failure> {
    let mut chance = Chance::of(SEED);
    for index in 0..count {
        let day = year.day(index, count);
        let asset = index % 25 == 2;
        let body = document(&mut chance, suppliers, year, (index, day), asset);
        let document = api.post("/supplier-documents", &body).await?;
        tally.add(|counts| {
            counts.documents += 1;
            counts.supplier_documents += 1;
        });
        if index % 10 == 6 {
            continue;
        }
        let path = format!("/supplier-documents/{}", id(&document)?);
        let approved = api.post(&format!("{path}/approve"), &json!({})).await?;
        tally.add(|counts| counts.supplier_documents_approved += 1);
        for asset in approved.get("assetIds").and_then(Value::as_array).into_iter().flatten() {
            assets::activate(api, asset.as_str().unwrap_or_default()).await?;
            tally.add(|counts| counts.fixed_assets += 1);
        }
        pay(api, &mut chance, year, (&path, &approved), day, tally).await?;
    }
    Ok(())
}

fn document(
    chance: &mut Chance,
    suppliers: &[String],
    year: &Year,
    (index, day): (u32, Date),
    asset: bool,
) -> Value {
    let lines: Vec<_> = if asset {
        let (description, class, (low, high)) = chance.one(&ASSETS);
        let price = amount(chance.within(*low, *high).into());
        vec![json!({"description": description, "assetClass": class, "itemType": "good", "unitPrice": price})]
    } else {
        (0..chance.within(1, 3)).map(|_| line(chance)).collect()
    };
    let received = year.after(day, i64::from(chance.below(4)));
    json!({"docType": "invoice", "supplierId": chance.favourite(suppliers), "issueDate": day.to_string(),
        "number": format!("{}-{:05}", day.year(), index + 1), "receivedDate": received.to_string(), "lines": lines})
}

fn line(chance: &mut Chance) -> Value {
    let Item { description, unit, kind, price, most } = chance.one(&BOUGHT);
    let cents = chance.within(price.0, price.1);
    json!({"description": description, "unit": unit, "itemType": kind, "unitPrice": amount(cents.into()),
        "quantity": chance.within(1, *most).to_string()})
}

/// Most of what is older than a month is paid, some in part.
async fn pay(
    api: &Api,
    chance: &mut Chance,
    year: &Year,
    (path, approved): (&str, &Value),
    day: Date,
    tally: &Tally,
) -> Result<(), Failure> {
    let (share, days) = (chance.below(100), i64::from(chance.within(5, 45)));
    let most = if year.is_past(day, 30) { 75 } else { 15 };
    let whole = share < most;
    if share >= most + 12 {
        return Ok(());
    }
    let due = text(approved, "/totals/due")?;
    let paid = if whole { due } else { half(&due) };
    let payment = json!({"amount": paid, "date": year.after(day, days).to_string(), "method": "transfer"});
    api.post(&format!("{path}/payments"), &payment).await?;
    tally.add(|counts| {
        if whole { counts.supplier_documents_paid += 1 } else { counts.supplier_documents_part_paid += 1 }
    });
    Ok(())
}
