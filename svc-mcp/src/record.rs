//! What is written down of a call: who called what, and what it touched, without what was said.

use http::HeaderMap;
use http::header::USER_AGENT;
use rmcp::model::Implementation;
use serde_json::{Map, Value, json};
use svc_auth::approval::CallDigest;
use svc_core::id::AccountId;
use svc_core::text::is_hidden;
use svc_http::assistant::Called;

/// Bytes of redacted arguments.
const LONGEST: usize = 4 * 1024;
/// Ids of a call.
const MOST: usize = 100;
/// Letters of what a client calls itself.
const NAME: usize = 100;
/// Members whose texts are words of the API.
const WORDS: [&str; 12] = [
    "fields",
    "action",
    "kind",
    "status",
    "docType",
    "type",
    "sort",
    "role",
    "paymentStatus",
    "language",
    "currency",
    "country",
];

/// A call that begins; [`ended`] says what came of it.
pub(crate) fn called(
    tool: &'static str,
    arguments: &Value,
    headers: &HeaderMap,
    client: Option<&Implementation>,
) -> Called {
    let mut touched = Vec::new();
    ids(arguments, &mut touched);
    Called {
        company: company(arguments),
        client: name(headers, client),
        revision: header(headers, "mcp-protocol-version"),
        tool,
        arguments: redacted(arguments),
        digest: CallDigest::of(&[tool, &arguments.to_string()]),
        touched,
        outcome: String::new(),
    }
}

/// The same with its outcome, and what its answer shows.
pub(crate) fn ended(mut called: Called, outcome: &str, answer: &Value) -> Called {
    let items = answer.get("items").and_then(Value::as_array).into_iter().flatten();
    for item in items.chain(answer.get("item")) {
        touch(item.get("id").unwrap_or(&Value::Null), &mut called.touched);
    }
    let company = company(answer).or(called.company);
    Called { company, outcome: outcome.to_owned(), ..called }
}

fn company(of: &Value) -> Option<AccountId> {
    of.get("company").and_then(Value::as_str).and_then(|id| id.parse().ok())
}

/// What the client calls itself: in the message, or in the header of each request.
fn name(headers: &HeaderMap, client: Option<&Implementation>) -> String {
    let told = client.map(|client| format!("{} {}", client.name, client.version));
    short(&told.unwrap_or_else(|| header(headers, USER_AGENT.as_str())))
}

fn header(headers: &HeaderMap, name: &str) -> String {
    short(headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default())
}

fn short(text: &str) -> String {
    text.chars().filter(|sign| !is_hidden(*sign)).take(NAME).collect()
}

fn redacted(arguments: &Value) -> String {
    let whole = hidden("", arguments).to_string();
    if whole.len() <= LONGEST {
        return whole;
    }
    // Its members are told at least, as far as they are those of a tool.
    let members = arguments.as_object().into_iter().flat_map(|members| members.keys()).take(20);
    let members: Map<String, Value> = members.map(|name| (named(name), json!("***"))).collect();
    Value::Object(members).to_string()
}

/// The value without texts that are neither ids nor words of the API.
fn hidden(member: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if is_id(text) => value.clone(),
        Value::String(text) if WORDS.contains(&member) && is_word(text) => value.clone(),
        Value::String(_) => json!("***"),
        Value::Array(items) => items.iter().map(|item| hidden(member, item)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (named(name), hidden(name, value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The name of a member, unless it says more than a name of the API does.
fn named(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { "***".to_owned() }
}

fn is_word(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|letter| letter.is_ascii_alphabetic() || letter == b'_')
}

fn ids(value: &Value, touched: &mut Vec<String>) {
    match value {
        Value::String(_) => touch(value, touched),
        Value::Array(items) => items.iter().for_each(|item| ids(item, touched)),
        Value::Object(members) => members.values().for_each(|value| ids(value, touched)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn touch(value: &Value, touched: &mut Vec<String>) {
    if let Some(id) = value.as_str().filter(|text| is_id(text))
        && touched.len() < MOST
        && !touched.iter().any(|known| known == id)
    {
        touched.push(id.to_owned());
    }
}

/// Whether a text has the form of an id: three letters and 26 of its alphabet.
fn is_id(text: &str) -> bool {
    let plain =
        |part: &str| part.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit());
    text.split_once('_')
        .is_some_and(|(kind, rest)| kind.len() == 3 && rest.len() == 26 && plain(kind) && plain(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "con_00000000000000000000000001";

    #[test]
    fn what_was_said_is_left_out_and_ids_and_words_stay() {
        let arguments = json!({
            "q": "maria", "fields": "full", "limit": 25, "ids": [ID, "maria"],
            "data": { "kind": "person", "givenName": "María", "tags": ["vip"], "active": true, "id": null },
            "status": "María 12345678Z", "maria@example.com": 1,
        });
        let told = called("contacts_find", &arguments, &HeaderMap::new(), None);
        assert_eq!(
            told.arguments,
            json!({
                "q": "***", "fields": "full", "limit": 25, "ids": [ID, "***"],
                "data": { "kind": "person", "givenName": "***", "tags": ["***"], "active": true, "id": null },
                "status": "***", "***": 1,
            })
            .to_string()
        );
        assert_eq!(told.touched, [ID]);
        let other = json!({ "q": "marta" });
        let other = called("contacts_find", &other, &HeaderMap::new(), None);
        assert_ne!(other.digest, told.digest);
    }

    #[test]
    fn what_an_answer_shows_is_touched_and_all_is_bounded() {
        let items: Vec<_> = (0..200).map(|number| json!({ "id": format!("con_{number:026}") })).collect();
        let headers: HeaderMap =
            [(USER_AGENT, "x\u{7f}".repeat(200).parse().unwrap_or(http::HeaderValue::from_static("desk")))]
                .into_iter()
                .collect();
        let many: Map<String, Value> = (1..200)
            .map(|length| ("x".repeat(length % 40 + 1) + &"_".repeat(length / 40), json!(1)))
            .collect();
        let long = json!({ "data": many });
        let told = called("contacts_find", &long, &headers, None);
        let told = ended(told, "done", &json!({ "items": items }));
        assert_eq!(
            (told.touched.len(), &*told.arguments, &*told.client),
            (MOST, r#"{"data":"***"}"#, "desk")
        );
        assert!(!is_id("con_1") && !is_id("invoice_issue") && is_id(ID));
    }
}
