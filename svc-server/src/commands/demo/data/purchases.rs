//! Supplier documents: approved, paid, or left for review; some bring a fixed asset.

use serde_json::{Value, json};
use time::Date;

use super::assets;
use super::chance::Chance;
use super::line::{amount, line};
use super::payment::{Habit, settle};
use super::tally::Tally;
use super::words::{ASSETS, BOUGHT};
use super::year::Year;
use crate::commands::demo::api::Api;
use crate::commands::demo::story::id;
use crate::failure::Failure;

const SEED: u64 = 3;

const PAID: Habit = Habit {
    methods: &["transfer", "direct_debit"],
    days: 45,
    due: 75,
    early: 15,
    part: 12,
    count: |counts, whole| {
        if whole { counts.supplier_documents_paid += 1 } else { counts.supplier_documents_part_paid += 1 }
    },
};

/// Writes so many documents in the order of their days.
pub(super) async fn write(
    api: &Api,
    suppliers: &[String],
    year: &Year,
    count: u32,
    tally: &Tally,
) -> Result<(), Failure> {
    let mut chance = Chance::of(SEED);
    let mut payment = None;
    for index in 0..count {
        let day = year.day(index, count);
        let body = document(&mut chance, suppliers, year, index, day);
        let left = index % 10 == 6;
        let (written, ()) =
            tokio::try_join!(receive(api, &body, left, tally), settle(api, payment.take(), tally))?;
        if !left {
            let path = path_of(&written)?;
            payment = PAID.payment(&mut chance, year, (&path, &written), day)?;
        }
    }
    settle(api, payment, tally).await
}

/// Writes a document, and approves it unless it is left for review.
async fn receive(api: &Api, body: &Value, left: bool, tally: &Tally) -> Result<Value, Failure> {
    let document = api.post("/supplier-documents", body).await?;
    tally.add(|counts| {
        counts.documents += 1;
        counts.supplier_documents += 1;
    });
    if left {
        return Ok(document);
    }
    let approved = api.post(&format!("{}/approve", path_of(&document)?), &json!({})).await?;
    tally.add(|counts| counts.supplier_documents_approved += 1);
    for asset in approved.get("assetIds").and_then(Value::as_array).into_iter().flatten() {
        assets::activate(api, asset.as_str().unwrap_or_default()).await?;
        tally.add(|counts| counts.fixed_assets += 1);
    }
    Ok(approved)
}

fn path_of(document: &Value) -> Result<String, Failure> {
    Ok(format!("/supplier-documents/{}", id(document)?))
}

fn document(chance: &mut Chance, suppliers: &[String], year: &Year, index: u32, day: Date) -> Value {
    let lines: Vec<_> = if index % 25 == 2 {
        let (description, class, (low, high)) = chance.one(&ASSETS);
        let price = amount(chance.within(*low, *high).into());
        vec![json!({"description": description, "assetClass": class, "itemType": "good", "unitPrice": price})]
    } else {
        (0..chance.within(1, 3)).map(|_| line(chance, &BOUGHT)).collect()
    };
    let received = year.after(day, chance.below(4).into());
    json!({"docType": "invoice", "supplierId": chance.favourite(suppliers), "issueDate": day.to_string(),
        "number": format!("{}-{:05}", day.year(), index + 1), "receivedDate": received.to_string(), "lines": lines})
}
