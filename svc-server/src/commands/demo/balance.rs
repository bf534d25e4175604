//! The end of the second act: the balance sheet balances, and the books hold.

use serde_json::{Value, json};
use time::Date;

use super::api::Api;
use super::story::{Step, euros, text};
use crate::failure::Failure;

/// The balance sheet at the end of a day.
pub(super) async fn sheet(api: &Api, as_of: Date) -> Result<Step, Failure> {
    let path = api.books(&format!("/reports/balance-sheet?asOf={as_of}&lang=en"));
    let sheet = api.get(&path).await?;
    let assets = text(&sheet, "/totalAssets")?;
    let rest = text(&sheet, "/totalEquityAndLiabilities")?;
    if assets != rest {
        return Err(Failure::new(
            "demo_unbalanced",
            format!("the balance sheet of {as_of} has {assets} of assets, {rest} of equity and liabilities"),
        ));
    }
    let figures =
        json!({"asOf": as_of.to_string(), "totalAssets": assets, "totalEquityAndLiabilities": rest});
    let words = format!(
        "The balance sheet of {as_of} balances: {} of assets = {} of equity and liabilities.",
        euros(&assets),
        euros(&rest)
    );
    Ok(Step::new("balance_sheet", &figures, words, Vec::new()))
}

/// Every hash, number and sum of the journal, computed anew.
pub(super) async fn verification(api: &Api) -> Result<Step, Failure> {
    let verified = api.get(&api.books("/verification")).await?;
    let holds = verified.get("holds") == Some(&Value::Bool(true));
    if !holds {
        return Err(Failure::new("demo_books_broken", format!("the books do not hold: {verified}")));
    }
    let years = verified.get("years").and_then(Value::as_array);
    let entries: u64 =
        years.into_iter().flatten().filter_map(|year| year.get("entries").and_then(Value::as_u64)).sum();
    let words = format!("The books hold: {entries} posted entries, their hashes and numbers computed anew.");
    Ok(Step::new("verification", &json!({"holds": holds, "entries": entries}), words, Vec::new()))
}
