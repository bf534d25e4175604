//! Operations of purchases.

use svc_testkit::business::sample::contact_id;

use super::trade::books;
use super::{Ask, Operation, RARE, get, on, search_in, some};
use crate::growth::fill::{Filled, contact_number};

fn received(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/supplier-documents?{query}"))
}

fn suppliers(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/suppliers?{query}"))
}

fn count<T>(of: &[T]) -> u32 {
    u32::try_from(of.len()).unwrap_or(u32::MAX)
}

/// The number of one of its suppliers, another one each time.
fn supplier(filled: &Filled, call: u32, operation: u32) -> u32 {
    some(count(&filled.bought.suppliers), call, operation)
}

fn of(filled: &Filled, number: u32) -> String {
    let supplier = number.checked_sub(1).and_then(|place| filled.bought.suppliers.get(place as usize));
    supplier.map(ToString::to_string).unwrap_or_default()
}

/// A document of ten lines.
fn ten_lines(filled: &Filled, call: u32) -> Ask {
    let line = r#"{"description":"Papel","quantity":"3","unitPrice":"10.35","discountPercent":"5"}"#;
    let body = format!(
        r#"{{"docType":"invoice","supplierId":"{}","number":"N-{call}","issueDate":"{}","lines":[{}]}}"#,
        of(filled, supplier(filled, call, 1)),
        filled.today,
        [line; 10].join(",")
    );
    Ask { method: "POST", path: "/api/v1/supplier-documents".to_owned(), body, status: 201 }
}

/// All of them.
pub(super) const PURCHASES: &[Operation] = &[
    on("receive a document of ten lines", |filled, call| vec![ten_lines(filled, call)]),
    on("approve a supplier document", |filled, call| {
        let waiting = &filled.bought.waiting;
        let id = waiting.get(waiting.len() / 2 + call as usize).map_or("", String::as_str);
        let path = format!("/api/v1/supplier-documents/{id}/approve");
        vec![Ask { method: "POST", path, body: "{}".to_owned(), status: 200 }]
    }),
    on("list supplier documents, page 1", |_, _| received("limit=50")),
    on("list supplier documents by total, largest first", |_, _| received("sort=-total")),
    on("list supplier documents, status=received", |_, _| received("status=received")),
    on("list supplier documents, paymentStatus=unpaid", |_, _| received("paymentStatus=unpaid")),
    on("list supplier documents of a supplier", |filled, call| {
        received(&format!("supplierId={}", of(filled, supplier(filled, call, 2))))
    }),
    on("list supplier documents, number", |filled, call| {
        received(&format!("number=F-{}", some(count(&filled.bought.waiting), call, 3)))
    }),
    search_in("search supplier documents, a number", RARE, |filled, call| {
        received(&format!("q=F-{}", some(count(&filled.bought.waiting), call, 4)))
    }),
    on("list suppliers, page 1", |_, _| suppliers("limit=50")),
    on("list suppliers by name", |_, _| suppliers("sort=name")),
    on("list suppliers, supplierType=creditor", |_, _| suppliers("supplierType=creditor")),
    on("list suppliers, code", |filled, call| suppliers(&format!("code=S-{}", supplier(filled, call, 5)))),
    on("list suppliers, contactId", |filled, call| {
        suppliers(&format!("contactId={}", contact_id(contact_number(supplier(filled, call, 6)).into())))
    }),
    search_in("search suppliers, a rare word", RARE, |filled, call| {
        suppliers(&format!("q=luna{}x", contact_number(supplier(filled, call, 7))))
    }),
    on("aged payables", |filled, _| books(filled, "/reports/aged-payables")),
];
