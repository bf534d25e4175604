//! Cases of customers, some of them closed.

use serde_json::json;

use super::chance::Chance;
use super::tally::Tally;
use super::words::CASES;
use super::year::Year;
use crate::commands::demo::api::Api;
use crate::commands::demo::story::id;
use crate::failure::Failure;

const SEED: u64 = 4;

/// One for every twenty documents.
pub(super) async fn write(
    api: &Api,
    customers: &[String],
    year: &Year,
    documents: u32,
    tally: &Tally,
) -> Result<(), Failure> {
    let mut chance = Chance::of(SEED);
    let count = (documents / 20).clamp(2, 2_000);
    for index in 0..count {
        let (title, kind) = chance.one(&CASES);
        let case = json!({"title": title, "type": kind, "contactId": chance.one(customers),
            "priority": chance.one(&["low", "normal", "normal", "high"]),
            "openedOn": year.day(index, count).to_string()});
        let case = id(&api.post("/cases", &case).await?)?;
        tally.add(|counts| counts.cases += 1);
        if chance.holds(40) {
            let outcome = json!({"outcome": chance.one(&["won", "resolved", "resolved", "withdrawn"])});
            api.post(&format!("/cases/{case}/close"), &outcome).await?;
        }
    }
    Ok(())
}
