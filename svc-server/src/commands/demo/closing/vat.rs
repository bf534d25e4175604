//! The VAT of the quarter, computed from the books.

use serde_json::{Value, json};
use time::Date;

use crate::commands::demo::api::Api;
use crate::commands::demo::story::{Expected, Step, euros, id, text};
use crate::failure::Failure;

/// The return of the quarter of a day, as it comes to by then.
pub(in crate::commands::demo) async fn prepare(api: &Api, today: Date) -> Result<Step, Failure> {
    let (year, quarter) = (today.year(), u8::from(today.month()).div_ceil(3));
    let period = format!("{quarter}T");
    let found = api.get(&format!("/tax/returns?model=303&year={year}&period={period}")).await?;
    let made = match found.pointer("/items/0") {
        // The calendar of the company made it.
        Some(made) => made.clone(),
        None => api.post("/tax/returns", &json!({"model": "303", "year": year, "period": period})).await?,
    };
    let made = id(&made)?;
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
