//! Operations of contacts, cases and companies.

use svc_testkit::business::sample::contact_id;

use super::{Ask, FREQUENT, Operation, RARE, case, cases, change, contact, get, list, on, search_in, some};
use crate::traffic::{bare, dni, real};

/// Numbers of contacts that are made while it runs.
const NEW: u32 = 50_000_000;

fn create(body: String) -> Ask {
    Ask { method: "POST", path: "/api/v1/contacts".to_owned(), body, status: 201 }
}

/// All of them.
pub(super) const CONTACTS: &[Operation] = &[
    on("create a bare contact", |_, call| vec![create(bare(NEW + call))]),
    on("create a real contact", |_, call| vec![create(real(NEW + call))]),
    on("read a contact", |filled, call| get(contact(some(filled.contacts, call, 1)))),
    on("change its phone", |filled, call| {
        change(some(filled.contacts, call, 2), format!(r#"{{"phone":"+3491{call:07}"}}"#))
    }),
    on("change its tax id", |filled, call| {
        change(some(filled.contacts, call, 3), format!(r#"{{"taxId":"{}"}}"#, dni(NEW + 10_000_000 + call)))
    }),
    on("change its tags", |filled, call| {
        change(some(filled.contacts, call, 4), format!(r#"{{"tags":["customer","visit {call}"]}}"#))
    }),
    on("its duplicates", |filled, call| get(contact(some(filled.contacts, call, 5)) + "/duplicates")),
    on("merge two", |filled, call| {
        let (kept, merged) = (some(filled.contacts, 2 * call, 6), some(filled.contacts, 2 * call + 1, 6));
        let merged = contact_id(merged.into());
        let body = format!(r#"{{"mergedId":"{merged}","force":true}}"#);
        vec![Ask { method: "POST", path: contact(kept) + "/merge", body, status: 200 }]
    }),
    on("delete a contact", |filled, call| {
        // Nothing refers to these.
        let path = contact(some(filled.contacts, 5 * call, 8));
        vec![Ask { method: "DELETE", path, body: String::new(), status: 204 }]
    }),
    on("list, page 1", |_, _| list("limit=50")),
    // One in fifty is archived.
    on("list, last page", |filled, _| list(&format!("page={}", (filled.contacts / 50 * 49).div_ceil(50)))),
    on("list by name", |_, _| list("sort=name")),
    on("list by change, latest first", |_, _| list("sort=-updatedAt")),
    on("list, status=archived", |_, _| list("status=archived")),
    on("list, kind=organization", |_, _| list("kind=organization")),
    on("list, role=supplier", |_, _| list("role=supplier")),
    on("list, a tag that one in forty has", |_, _| list("tag=route%207")),
    on("list, a tag that all have", |_, _| list("tag=customer")),
    on("list, taxId", |filled, call| list(&format!("taxId={}", dni(some(filled.contacts, call, 9))))),
    on("list, externalId", |filled, call| {
        list(&format!("externalId=crm-{}", some(filled.contacts, call, 10)))
    }),
    on("list, parentContactId", |filled, call| {
        // Every fifth one belongs to the one before it.
        list(&format!("parentContactId={}", contact_id((some(filled.contacts, call, 11) / 5 * 5 + 4).into())))
    }),
    // Contacts become suppliers on all days of the year.
    on("list, updatedSince of late", |filled, _| list(&format!("updatedSince={}T00:00:00Z", filled.today))),
    on("list, updatedSince before all", |_, _| list("updatedSince=2020-01-01T00:00:00Z")),
    on("list, from of late", |_, _| list("from=2026-01-01")),
    search_in("search a rare word", RARE, |filled, call| {
        list(&format!("q=luna{}x", some(filled.contacts, call, 12)))
    }),
    search_in("search a word that half have", FREQUENT, |_, _| list("q=sociedad")),
    search_in("search two letters that few have", RARE, |_, _| list("q=xq")),
    search_in("search what none has", RARE, |_, _| list("q=wolkenkuckucksheim")),
    on("list cases, page 1", |_, _| cases("limit=50")),
    on("list cases, status=open", |_, _| cases("status=open")),
    on("list cases, type=tax", |_, _| cases("type=tax")),
    on("list cases, contactId", |filled, call| {
        cases(&format!("contactId={}", contact_id(some(filled.contacts / 10, call, 1).into())))
    }),
    on("list cases, tag", |_, _| cases("tag=vip")),
    on("list cases by date due", |_, _| cases("sort=dueOn")),
    search_in("search cases, a rare word", RARE, |filled, call| {
        cases(&format!("q=asunto%20{}x", some(filled.contacts / 10, call, 2)))
    }),
    on("read a case", |filled, call| get(case(some(filled.contacts / 10, call, 3)))),
    on("list companies", |_, _| get("/api/v1/accounts")),
    on("event log, page 1", |_, _| get("/api/v1/webhooks/event-log?limit=50")),
];
