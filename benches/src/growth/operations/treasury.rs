//! Operations of the treasury.

use svc_core::id::BankMovementId;
use svc_testkit::business::sample::id;

use super::{Ask, FREQUENT, Operation, RARE, get, on, search_in, some};
use crate::growth::fill::{cash_box, import_of};

const MOVEMENTS: &str = "/api/v1/treasury/bank-movements";

fn movements(query: &str) -> Vec<Ask> {
    get(format!("{MOVEMENTS}?{query}"))
}

fn movement(number: u32) -> String {
    format!("{MOVEMENTS}/{}", id::<BankMovementId>(number.into()))
}

/// Ten movements that a person writes.
fn ten_movements(call: u32) -> Ask {
    let one = |place| {
        format!(r#"{{"bookingDate":"2025-03-01","amount":"{place}.50","description":"Caja {call}-{place}"}}"#)
    };
    let ten: Vec<_> = (1..=10).map(one).collect();
    let body = format!(r#"{{"bankAccountId":"{}","movements":[{}]}}"#, cash_box(), ten.join(","));
    Ask { method: "POST", path: MOVEMENTS.to_owned(), body, status: 201 }
}

/// All of them.
pub(super) const TREASURY: &[Operation] = &[
    on("add ten movements by hand", |_, call| vec![ten_movements(call)]),
    on("read a movement", |filled, call| get(movement(some(filled.contacts, call, 1)))),
    on("write a note on a movement", |filled, call| {
        let body = format!(r#"{{"notes":"Visto {call}"}}"#);
        vec![Ask { method: "PATCH", path: movement(some(filled.contacts, call, 2)), body, status: 200 }]
    }),
    on("list movements, page 1", |_, _| movements("limit=50")),
    on("list movements by amount", |_, _| movements("sort=amount")),
    on("list movements of an account", |_, _| movements(&format!("bankAccountId={}", cash_box()))),
    on("list movements of an import", |filled, call| {
        movements(&format!("importId={}", import_of(some(filled.contacts, call, 3))))
    }),
    on("list movements, status=pending", |_, _| movements("status=pending")),
    on("list movements, status=ignored", |_, _| movements("status=ignored")),
    on("list movements, direction=out", |_, _| movements("direction=out")),
    on("list movements of an amount", |_, call| {
        movements(&format!("minAmount={0}.00&maxAmount={0}.01", 2 + call % 9))
    }),
    on("list movements of a day", |_, _| movements("from=2025-03-01&to=2025-03-01")),
    search_in("search movements, a rare word", RARE, |filled, call| {
        movements(&format!("q=luna{}x", some(filled.contacts, call, 4)))
    }),
    search_in("search movements, a word that all have", FREQUENT, |_, _| movements("q=recibo")),
    on("list imports, page 1", |_, _| get("/api/v1/treasury/imports?limit=50")),
    on("balances of a month", |_, _| get("/api/v1/treasury/balances?from=2025-03-01&to=2025-03-31")),
];
