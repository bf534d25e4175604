//! `/tokens`: the credentials of integrations, in the client area.

mod change;
mod create;
mod groups;
mod reach;

use serde_json::{Value, json};

use crate::client_area::{Browser, ClientAreaApp};
use crate::test_app::Answer;

/// A token of Acme with these members beside or in place of the usual ones.
fn wanted(area: &ClientAreaApp, members: &Value) -> Value {
    let mut body = json!({"name": "Shop", "permissions": ["read"], "primaryAccountId": area.acme});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}

async fn created(area: &ClientAreaApp, browser: &Browser, members: &Value) -> Answer {
    browser.post("/tokens", &wanted(area, members)).await.ok(201)
}

fn value(answer: &Answer) -> &str {
    answer.json["value"].as_str().unwrap_or_else(|| panic!("no value in {answer:?}"))
}
