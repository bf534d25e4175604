//! The end of the second act: the balance sheet balances, and the books hold.

use serde_json::{Value, json};
use time::Date;

use super::api::Api;
use super::story::{Step, euros, text};
use crate::failure::Failure;

/// The balance sheet at the end of a day.
pub(super) async fn sheet(api: &Api, as_of: Date) -> Result<Step, Failure> {
    let path = api.books(&format!("/reports/balance-sheet?asOf={as_of}&lang=en"));
    let (assets, rest) = totals(&api.get(&path).await?)?;
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
    let entries = held(&api.get(&api.books("/verification")).await?)?;
    let words = format!("The books hold: {entries} posted entries, their hashes and numbers computed anew.");
    Ok(Step::new("verification", &json!({"holds": true, "entries": entries}), words, Vec::new()))
}

/// What the company has, and what it owes and is left with: the same amount.
fn totals(sheet: &Value) -> Result<(String, String), Failure> {
    let assets = text(sheet, "/totalAssets")?;
    let rest = text(sheet, "/totalEquityAndLiabilities")?;
    if assets != rest {
        let message =
            format!("the balance sheet has {assets} of assets, but {rest} of equity and liabilities");
        return Err(Failure::new("demo_unbalanced", message));
    }
    Ok((assets, rest))
}

/// How many entries hold: all of them.
fn held(verified: &Value) -> Result<u64, Failure> {
    if verified.get("holds") != Some(&Value::Bool(true)) {
        return Err(Failure::new("demo_books_broken", format!("the books do not hold: {verified}")));
    }
    let years = verified.get("years").and_then(Value::as_array);
    Ok(years.into_iter().flatten().filter_map(|year| year.get("entries").and_then(Value::as_u64)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balance_sheet_that_does_not_balance_fails_the_demo() {
        let sheet = |rest: &str| json!({"totalAssets": "10.00", "totalEquityAndLiabilities": rest});
        assert!(totals(&sheet("10.00")).is_ok());
        let failure = totals(&sheet("9.99")).expect_err("a difference");
        assert_eq!(failure.code(), "demo_unbalanced");
    }

    #[test]
    fn books_that_do_not_hold_fail_the_demo() {
        let books = |holds: bool| json!({"holds": holds, "years": [{"entries": 3}, {"entries": 1}]});
        assert_eq!(held(&books(true)), Ok(4));
        assert_eq!(held(&books(false)).expect_err("broken").code(), "demo_books_broken");
    }
}
