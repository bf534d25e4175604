//! The VAT of the quarter, computed from the books.

use serde_json::{Value, json};
use time::Date;

use crate::commands::demo::api::Api;
use crate::commands::demo::story::{Expected, Step, euros, id, text};
use crate::failure::Failure;

/// Files the return of the quarter before that of a day, which locks the books up to its end.
pub(in crate::commands::demo) async fn close(api: &Api, today: Date) -> Result<Step, Failure> {
    let (year, quarter) = match quarter_of(today) {
        (year, 1) => (year - 1, 4),
        (year, quarter) => (year, quarter - 1),
    };
    let made = made(api, year, quarter).await?;
    let path = format!("/tax/returns/{made}");
    api.post(&format!("{path}/prepare"), &json!({})).await?;
    let filed = api.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await?;
    let [result, amount, last] = ["/result/type", "/result/amount", "/to"].map(|at| text(&filed, at));
    let (result, amount, last) = (result?, amount?, last?);
    let settlement = filed.get("settlementEntryId").cloned().unwrap_or_default();
    let words = format!(
        "Quarter {quarter} of {year} is closed: its return 303 is filed ({}, {}), and no entry with VAT changes up to {last}.",
        euros(&amount),
        result.replace('_', " ")
    );
    let figures = json!({"taxReturnId": made, "period": format!("{quarter}T"), "result": result, "amount": amount,
        "lockedUntil": last, "settlementEntryId": settlement});
    let told = ["tax_return.update", "tax_return.submit"].map(|kind| Expected::of(kind, &made));
    // A quarter without VAT has nothing to settle.
    let settled = settlement.as_str().map(|entry| Expected::of("journal_entry.create", entry));
    Ok(Step::new("quarter", &figures, words, told.into_iter().chain(settled).collect()))
}

/// The return of the quarter of a day, as it comes to by then.
pub(in crate::commands::demo) async fn prepare(api: &Api, today: Date) -> Result<Step, Failure> {
    let (year, quarter) = quarter_of(today);
    let period = format!("{quarter}T");
    let made = made(api, year, quarter).await?;
    let path = format!("/tax/returns/{made}");
    // The quarter may not be over: this is what it comes to by now.
    let prepared = api.post(&format!("{path}/prepare"), &json!({"allowEarly": true})).await?;
    let [result, amount, due] = ["/result/type", "/result/amount", "/dueDate"].map(|at| text(&prepared, at));
    let (result, amount, due) = (result?, amount?, due?);
    // Box 07: the base at the usual rate.
    let sources = api.get(&format!("{path}/boxes/07/sources")).await?;
    let sources = sources.get("total").and_then(Value::as_u64).unwrap_or_default();
    let words = format!(
        "Return 303 of quarter {quarter} is prepared from the books, due on {due}: {} ({}). Postings behind its base at \
         21 %: {sources}.",
        euros(&amount),
        result.replace('_', " ")
    );
    let figures = json!({"taxReturnId": made, "period": period, "result": result, "amount": amount, "dueDate": due,
        "sources": sources});
    Ok(Step::new("vat", &figures, words, vec![Expected::of("tax_return.update", &made)]))
}

fn quarter_of(day: Date) -> (i32, u8) {
    (day.year(), u8::from(day.month()).div_ceil(3))
}

/// The id of the return of a quarter, which the calendar of the company may have made.
async fn made(api: &Api, year: i32, quarter: u8) -> Result<String, Failure> {
    let period = format!("{quarter}T");
    let found = api.get(&format!("/tax/returns?model=303&year={year}&period={period}")).await?;
    if let Some(made) = found.pointer("/items/0") {
        return id(made);
    }
    id(&api.post("/tax/returns", &json!({"model": "303", "year": year, "period": period})).await?)
}
