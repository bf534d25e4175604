//! Operations of assistants: a call of a tool, beside the route that does the same.

use serde_json::{Value, json};
use svc_core::id::CaseId;
use svc_testkit::business::sample::{contact_id, id};

use super::{Ask, Asks, FREQUENT, MCP, Operation, RARE, case, cases, change, contact, get, list, some};
use crate::traffic::dni;

type Of = fn(contacts: u32, call: u32) -> Vec<Ask>;

/// The names say what is found; the asks of the tool and of the route are for different records.
const fn tool(name: &'static str, tool: Of, route: Of) -> Operation {
    Operation { name, within: None, asks: Asks::Contacts(tool), route: Some(route) }
}

/// The same, of which the time in the smallest company says nothing.
const fn search(name: &'static str, within: f64, asks: Of, route: Of) -> Operation {
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
pub(in crate::growth) const TOOLS: &[Operation] = &[
    tool("tool: find contacts", |_, _| find(&json!({})), |_, _| list(PAGE)),
    tool(
        "tool: find a contact by its id, in full",
        |contacts, call| {
            let id = contact_id(some(contacts, call, 20).into()).to_string();
            find(&json!({ "ids": [id], "fields": "full" }))
        },
        |contacts, call| get(contact(some(contacts, call, 21))),
    ),
    search(
        "tool: find contacts, a rare word",
        RARE,
        |contacts, call| find(&json!({ "q": format!("luna{}x", some(contacts, call, 22)) })),
        |contacts, call| list(&format!("{PAGE}&q=luna{}x", some(contacts, call, 23))),
    ),
    search(
        "tool: find contacts, a word that half have",
        FREQUENT,
        |_, _| find(&json!({ "q": "sociedad" })),
        |_, _| list(&format!("{PAGE}&q=sociedad")),
    ),
    tool(
        "tool: find contacts, taxId",
        |contacts, call| find(&json!({ "taxId": dni(some(contacts, call, 24)) })),
        |contacts, call| list(&format!("{PAGE}&taxId={}", dni(some(contacts, call, 25)))),
    ),
    tool(
        "tool: find cases, status=open",
        |_, _| call("cases_find", &json!({ "status": "open" })),
        |_, _| cases(&format!("{PAGE}&status=open")),
    ),
    tool(
        "tool: change the phone of a contact",
        |contacts, number| {
            let id = contact_id(some(contacts, number, 26).into()).to_string();
            let phone = format!("+3492{number:07}");
            call("contact_save", &json!({ "id": id, "data": { "phone": phone } }))
        },
        |contacts, number| change(some(contacts, number, 27), format!(r#"{{"phone":"+3492{number:07}"}}"#)),
    ),
    tool(
        "tool: find a case by its id, in full",
        |contacts, number| {
            let id = id::<CaseId>(some(contacts / 10, number, 20).into()).to_string();
            call("cases_find", &json!({ "ids": [id], "fields": "full" }))
        },
        |contacts, number| get(case(some(contacts / 10, number, 21))),
    ),
];
