//! Operations of contacts, cases and companies.

use svc_testkit::business::sample::contact_id;

use super::{Ask, Asks, FREQUENT, Operation, RARE, case, cases, change, contact, get, list, on, some};
use crate::traffic::{bare, dni, real};

/// Numbers of contacts that are made while it runs.
const NEW: u32 = 50_000_000;

fn create(body: String) -> Ask {
    Ask { method: "POST", path: "/api/v1/contacts".to_owned(), body, status: 201 }
}

const fn operation(name: &'static str, asks: fn(u32, u32) -> Vec<Ask>) -> Operation {
    Operation { name, within: None, asks: Asks::Contacts(asks), route: None }
}

const fn search(name: &'static str, within: f64, asks: fn(u32, u32) -> Vec<Ask>) -> Operation {
    Operation { name, within: Some(within), asks: Asks::Contacts(asks), route: None }
}

/// All of them.
pub(super) const CONTACTS: &[Operation] = &[
    operation("create a bare contact", |_, call| vec![create(bare(NEW + call))]),
    operation("create a real contact", |_, call| vec![create(real(NEW + call))]),
    operation("read a contact", |contacts, call| get(contact(some(contacts, call, 1)))),
    operation("change its phone", |contacts, call| {
        change(some(contacts, call, 2), format!(r#"{{"phone":"+3491{call:07}"}}"#))
    }),
    operation("change its tax id", |contacts, call| {
        change(some(contacts, call, 3), format!(r#"{{"taxId":"{}"}}"#, dni(NEW + 10_000_000 + call)))
    }),
    operation("change its tags", |contacts, call| {
        change(some(contacts, call, 4), format!(r#"{{"tags":["customer","visit {call}"]}}"#))
    }),
    operation("its duplicates", |contacts, call| get(contact(some(contacts, call, 5)) + "/duplicates")),
    operation("merge two", |contacts, call| {
        let (kept, merged) = (some(contacts, 2 * call, 6), some(contacts, 2 * call + 1, 6));
        let merged = contact_id(merged.into());
        let body = format!(r#"{{"mergedId":"{merged}","force":true}}"#);
        vec![Ask { method: "POST", path: contact(kept) + "/merge", body, status: 200 }]
    }),
    operation("delete a contact", |contacts, call| {
        // Nothing refers to these.
        let path = contact(some(contacts, 5 * call, 8));
        vec![Ask { method: "DELETE", path, body: String::new(), status: 204 }]
    }),
    operation("list, page 1", |_, _| list("limit=50")),
    // One in fifty is archived.
    operation("list, last page", |contacts, _| list(&format!("page={}", (contacts / 50 * 49).div_ceil(50)))),
    operation("list by name", |_, _| list("sort=name")),
    operation("list by change, latest first", |_, _| list("sort=-updatedAt")),
    operation("list, status=archived", |_, _| list("status=archived")),
    operation("list, kind=organization", |_, _| list("kind=organization")),
    operation("list, role=supplier", |_, _| list("role=supplier")),
    operation("list, a tag that one in forty has", |_, _| list("tag=route%207")),
    operation("list, a tag that all have", |_, _| list("tag=customer")),
    operation("list, taxId", |contacts, call| list(&format!("taxId={}", dni(some(contacts, call, 9))))),
    operation("list, externalId", |contacts, call| {
        list(&format!("externalId=crm-{}", some(contacts, call, 10)))
    }),
    operation("list, parentContactId", |contacts, call| {
        // Every fifth one belongs to the one before it.
        list(&format!("parentContactId={}", contact_id((some(contacts, call, 11) / 5 * 5 + 4).into())))
    }),
    // Contacts become suppliers on all days of the year.
    on("list, updatedSince of late", |filled, _| list(&format!("updatedSince={}T00:00:00Z", filled.today))),
    operation("list, updatedSince before all", |_, _| list("updatedSince=2020-01-01T00:00:00Z")),
    operation("list, from of late", |_, _| list("from=2026-01-01")),
    search("search a rare word", RARE, |contacts, call| {
        list(&format!("q=luna{}x", some(contacts, call, 12)))
    }),
    search("search a word that half have", FREQUENT, |_, _| list("q=sociedad")),
    search("search two letters that few have", RARE, |_, _| list("q=xq")),
    search("search what none has", RARE, |_, _| list("q=wolkenkuckucksheim")),
    operation("list cases, page 1", |_, _| cases("limit=50")),
    operation("list cases, status=open", |_, _| cases("status=open")),
    operation("list cases, type=tax", |_, _| cases("type=tax")),
    operation("list cases, contactId", |contacts, call| {
        cases(&format!("contactId={}", contact_id(some(contacts / 10, call, 1).into())))
    }),
    operation("list cases, tag", |_, _| cases("tag=vip")),
    operation("list cases by date due", |_, _| cases("sort=dueOn")),
    search("search cases, a rare word", RARE, |contacts, call| {
        cases(&format!("q=asunto%20{}x", some(contacts / 10, call, 2)))
    }),
    operation("read a case", |contacts, call| get(case(some(contacts / 10, call, 3)))),
    operation("list companies", |_, _| get("/api/v1/accounts")),
    operation("event log, page 1", |_, _| get("/api/v1/webhooks/event-log?limit=50")),
];
