//! Operations of sales, purchases and books.

use svc_testkit::business::sample::contact_id;

use super::{Ask, Asks, Operation, get};
use crate::growth::fill::Filled;

const fn trade(name: &'static str, asks: fn(&Filled, u32) -> Vec<Ask>) -> Operation {
    Operation { name, within: None, asks: Asks::Trade(asks), route: None }
}

/// An invoice, another one each time; those of `operation` are left to it.
fn invoice(filled: &Filled, call: u32, operation: usize) -> String {
    let at = (filled.invoices.len() / 20 * operation + call as usize) % filled.invoices.len();
    format!("/api/v1/billing/{}", filled.invoices.get(at).map_or("", String::as_str))
}

fn billing(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/billing?{query}"))
}

fn books(filled: &Filled, under: &str) -> Vec<Ask> {
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
pub(in crate::growth) const TRADE: &[Operation] = &[
    trade("draft an invoice of ten lines", |_, _| vec![ten_lines(false)]),
    trade("write and issue an invoice of ten lines", |_, _| vec![ten_lines(true)]),
    trade("record a payment", |filled, call| {
        let body = format!(r#"{{"amount":"1.00","date":"{}","method":"cash"}}"#, filled.today);
        let unpaid = filled.unpaid();
        let id = unpaid.get(call as usize % unpaid.len()).map_or("", String::as_str);
        let path = format!("/api/v1/billing/{id}/payments");
        vec![Ask { method: "POST", path, body, status: 201 }]
    }),
    trade("post an entry of twenty lines", |filled, _| vec![twenty_lines(filled)]),
    trade("read an invoice", |filled, call| get(invoice(filled, call, 2))),
    trade("its history", |filled, call| get(invoice(filled, call, 3) + "/history")),
    trade("list invoices, page 1", |_, _| billing("limit=50")),
    trade("list invoices by number", |_, _| billing("sort=number")),
    trade("list invoices by total, largest first", |_, _| billing("sort=-total")),
    trade("list invoices, status=issued", |_, _| billing("status=issued")),
    trade("list invoices, paymentStatus=unpaid", |_, _| billing("paymentStatus=unpaid")),
    trade("list invoices, paymentStatus=paid", |_, _| billing("paymentStatus=paid")),
    trade("list invoices, overdue", |_, _| billing("overdue=true")),
    trade("list invoices of a contact", |filled, call| {
        billing(&format!("contactId={}", contact_id(u128::from(call) + filled.invoices.len() as u128 / 2)))
    }),
    trade("list invoices from 300.00", |_, _| billing("minTotal=300.00")),
    trade("proposals for a movement that tells its invoice", |filled, call| {
        proposals(&filled.movements.telling, call)
    }),
    trade("proposals for an amount alone", |filled, call| proposals(&filled.movements.silent, call)),
    trade("list entries, page 1", |filled, _| books(filled, "/journal-entries")),
    trade("list lines, page 1", |filled, _| books(filled, "/journal-lines")),
    trade("list lines of an account", |filled, _| books(filled, "/journal-lines?accountCode=7050000")),
    trade("list ledger accounts", |filled, _| books(filled, "/accounts?prefix=43")),
    trade("trial balance", |filled, _| books(filled, "/reports/trial-balance?nonZero=true")),
    trade("balance sheet", |filled, _| books(filled, "/reports/balance-sheet")),
    trade("profit and loss", |filled, _| books(filled, "/reports/profit-and-loss")),
    trade("general ledger of a day of an account", |filled, _| {
        let today = &filled.today;
        books(filled, &format!("/reports/general-ledger?accountCode=5550000&from={today}&to={today}"))
    }),
    trade("aged receivables", |filled, _| books(filled, "/reports/aged-receivables")),
];
