//! Operations of assistants: a call of a tool, beside the route that does the same.

use serde_json::{Value, json};
use svc_core::id::CaseId;
use svc_testkit::business::sample::{contact_id, id};

use super::{Ask, Asks, FREQUENT, MCP, Operation, RARE, case, cases, change, contact, get, list, on, some};
use crate::traffic::dni;

/// The names say what is found; the asks of the tool and of the route are for different records.
const fn tool(name: &'static str, tool: Asks, route: Asks) -> Operation {
    Operation { route: Some(route), ..on(name, tool) }
}

/// The same, of which the time in the smallest company says nothing.
const fn search(name: &'static str, within: f64, asks: Asks, route: Asks) -> Operation {
    Operation { within: Some(within), ..tool(name, asks, route) }
}

fn call(tool: &str, arguments: &Value) -> Vec<Ask> {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    vec![Ask { method: "POST", path: MCP.to_owned(), body: message.to_string(), status: 200 }]
}

fn find(arguments: &Value) -> Vec<Ask> {
    call("contacts_find", arguments)
}

/// The page of a tool that names no limit.
const PAGE: &str = "page=1&limit=25";

/// All of them.
pub(super) const TOOLS: &[Operation] = &[
    tool("tool: find contacts", |_, _| find(&json!({})), |_, _| list(PAGE)),
    tool(
        "tool: find a contact by its id, in full",
        |filled, call| {
            let id = contact_id(some(filled.contacts, call, 20).into()).to_string();
            find(&json!({ "ids": [id], "fields": "full" }))
        },
        |filled, call| get(contact(some(filled.contacts, call, 21))),
    ),
    search(
        "tool: find contacts, a rare word",
        RARE,
        |filled, call| find(&json!({ "q": format!("luna{}x", some(filled.contacts, call, 22)) })),
        |filled, call| list(&format!("{PAGE}&q=luna{}x", some(filled.contacts, call, 23))),
    ),
    search(
        "tool: find contacts, a word that half have",
        FREQUENT,
        |_, _| find(&json!({ "q": "sociedad" })),
        |_, _| list(&format!("{PAGE}&q=sociedad")),
    ),
    tool(
        "tool: find contacts, taxId",
        |filled, call| find(&json!({ "taxId": dni(some(filled.contacts, call, 24)) })),
        |filled, call| list(&format!("{PAGE}&taxId={}", dni(some(filled.contacts, call, 25)))),
    ),
    tool(
        "tool: find cases, status=open",
        |_, _| call("cases_find", &json!({ "status": "open" })),
        |_, _| cases(&format!("{PAGE}&status=open")),
    ),
    tool(
        "tool: change the phone of a contact",
        |filled, number| {
            let id = contact_id(some(filled.contacts, number, 26).into()).to_string();
            let phone = format!("+3492{number:07}");
            call("contact_save", &json!({ "id": id, "data": { "phone": phone } }))
        },
        |filled, number| {
            change(some(filled.contacts, number, 27), format!(r#"{{"phone":"+3492{number:07}"}}"#))
        },
    ),
    tool(
        "tool: find a case by its id, in full",
        |filled, number| {
            let id = id::<CaseId>(some(filled.contacts / 10, number, 20).into()).to_string();
            call("cases_find", &json!({ "ids": [id], "fields": "full" }))
        },
        |filled, number| get(case(some(filled.contacts / 10, number, 21))),
    ),
];
