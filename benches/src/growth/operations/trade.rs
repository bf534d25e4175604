//! Operations of sales and books.

use svc_testkit::business::sample::contact_id;

use super::{Ask, Operation, get, on, some};
use crate::growth::fill::Filled;

/// An invoice, another one each time; those of `operation` are left to it.
fn invoice(filled: &Filled, call: u32, operation: usize) -> String {
    let at = (filled.sold.invoices.len() / 20 * operation + call as usize) % filled.sold.invoices.len();
    format!("/api/v1/billing/{}", filled.sold.invoices.get(at).map_or("", String::as_str))
}

fn billing(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/billing?{query}"))
}

pub(super) fn books(filled: &Filled, under: &str) -> Vec<Ask> {
    get(format!("/api/v1/books/{}{under}", filled.company))
}

/// What is proposed for one of these movements, another one each time.
fn proposals(movements: &[String], call: u32) -> Vec<Ask> {
    let movement = movements.get(call as usize % movements.len()).map_or("", String::as_str);
    get(format!("/api/v1/treasury/bank-movements/{movement}/proposals"))
}

/// An invoice of ten lines.
fn ten_lines(issue: bool) -> Ask {
    let line = r#"{"description":"Obra","quantity":"3","unitPrice":"10.35","discountPercent":"5"}"#;
    let body = format!(
        r#"{{"docType":"simplified_invoice","contactId":"{}","issue":{issue},"lines":[{}]}}"#,
        contact_id(1),
        [line; 10].join(",")
    );
    Ask { method: "POST", path: "/api/v1/billing".to_owned(), body, status: 201 }
}

/// A posted entry of twenty lines, on the day of an invoice.
fn twenty_lines(filled: &Filled) -> Ask {
    let debit = r#"{"accountCode":"6210000","debit":"10.00"}"#;
    let credit = r#"{"accountCode":"5720000","credit":"10.00"}"#;
    let lines = [[debit; 10].join(","), [credit; 10].join(",")].join(",");
    let body = format!(r#"{{"date":"{}","description":"Rent","post":true,"lines":[{lines}]}}"#, filled.today);
    let path = format!("/api/v1/books/{}/journal-entries", filled.company);
    Ask { method: "POST", path, body, status: 201 }
}

/// All of them.
pub(super) const TRADE: &[Operation] = &[
    on("draft an invoice of ten lines", |_, _| vec![ten_lines(false)]),
    on("write and issue an invoice of ten lines", |_, _| vec![ten_lines(true)]),
    on("record a payment", |filled, call| {
        let body = format!(r#"{{"amount":"1.00","date":"{}","method":"cash"}}"#, filled.today);
        let unpaid = &filled.sold.unpaid;
        let id = unpaid.get(call as usize % unpaid.len()).map_or("", String::as_str);
        let path = format!("/api/v1/billing/{id}/payments");
        vec![Ask { method: "POST", path, body, status: 201 }]
    }),
    on("post an entry of twenty lines", |filled, _| vec![twenty_lines(filled)]),
    on("read an invoice", |filled, call| get(invoice(filled, call, 2))),
    on("its history", |filled, call| get(invoice(filled, call, 3) + "/history")),
    on("list invoices, page 1", |_, _| billing("limit=50")),
    on("list invoices by number", |_, _| billing("sort=number")),
    on("list invoices by total, largest first", |_, _| billing("sort=-total")),
    on("list invoices, status=issued", |_, _| billing("status=issued")),
    on("list invoices, status=draft", |_, _| billing("status=draft")),
    on("list invoices, paymentStatus=unpaid", |_, _| billing("paymentStatus=unpaid")),
    on("list invoices, paymentStatus=paid", |_, _| billing("paymentStatus=paid")),
    on("list invoices, overdue", |_, _| billing("overdue=true")),
    on("list invoices of a contact", |filled, call| {
        billing(&format!(
            "contactId={}",
            contact_id(u128::from(call) + filled.sold.invoices.len() as u128 / 2)
        ))
    }),
    on("list invoices from 300.00", |_, _| billing("minTotal=300.00")),
    on("proposals for a movement that tells its invoice", |filled, call| {
        proposals(&filled.received.telling, call)
    }),
    on("proposals for an amount alone", |filled, call| proposals(&filled.received.silent, call)),
    on("list entries, page 1", |filled, _| books(filled, "/journal-entries")),
    on("list entries of a kind and a month", |filled, _| {
        let year = filled.today.split('-').next().unwrap_or_default();
        books(filled, &format!("/journal-entries?kind=sales&from={year}-03-01&to={year}-03-31"))
    }),
    on("list the entry of an invoice", |filled, call| {
        let at = (filled.sold.invoices.len() / 20 * 4 + call as usize) % filled.sold.invoices.len();
        let source = filled.sold.invoices.get(at).map_or("", String::as_str);
        books(filled, &format!("/journal-entries?sourceType=invoice&sourceId={source}"))
    }),
    on("list lines, page 1", |filled, _| books(filled, "/journal-lines")),
    on("list lines of an account", |filled, _| books(filled, "/journal-lines?accountCode=7050000")),
    on("list lines of a contact", |filled, call| {
        let contact = contact_id(u128::from(some(filled.contacts / 5, call, 5)));
        books(filled, &format!("/journal-lines?contactId={contact}"))
    }),
    on("list ledger accounts", |filled, _| books(filled, "/accounts?prefix=43")),
    on("trial balance", |filled, _| books(filled, "/reports/trial-balance?nonZero=true")),
    on("balance sheet", |filled, _| books(filled, "/reports/balance-sheet")),
    on("profit and loss", |filled, _| books(filled, "/reports/profit-and-loss")),
    on("general ledger of a day of an account", |filled, _| {
        let today = &filled.today;
        books(filled, &format!("/reports/general-ledger?accountCode=5550000&from={today}&to={today}"))
    }),
    on("aged receivables", |filled, _| books(filled, "/reports/aged-receivables")),
];
