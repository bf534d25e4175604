//! Bodies that are wrong somewhere: no request, whatever it holds, makes the server fail.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_testkit::fakes::SeededRandom;
use svc_testkit::property::values;

use super::request::Writer;
use super::route::{Route, token_routes};
use super::side::{Side, sides};
use crate::client_area::ClientAreaApp;

/// Requests to one set of companies; then come new ones, of which nothing is spent.
const REQUESTS: usize = 400;

#[tokio::test]
#[expect(clippy::print_stdout, reason = "the run tells how far it went")]
async fn bodies_that_are_wrong_somewhere_are_refused_and_nothing_fails() {
    let (numbers, seed) = values(&(0..u64::MAX), 400);
    let routes: Vec<_> = token_routes().into_iter().filter(Route::takes_a_body).collect();
    let mut answers = BTreeMap::<u16, usize>::new();
    for some in numbers.chunks(REQUESTS) {
        let area = ClientAreaApp::new().await.with_books().await;
        let side = &mut sides(&area).await.remove(0);
        let mut writer = Writer::new(SeededRandom::new(some[0]));
        for number in some {
            let route = &routes[writer.below(routes.len())];
            let status = try_one(&mut writer, route, side, &SeededRandom::new(*number)).await;
            *answers.entry(status).or_default() += 1;
        }
    }
    println!("wrong bodies: {} over {} routes, answers {answers:?}; {seed:?}", numbers.len(), routes.len());
    let count = |range: std::ops::Range<u16>| answers.range(range).map(|(_, count)| count).sum::<usize>();
    // Neither do all of them stop at the door, nor does what is wrong pass.
    assert!(count(200..300) > 0 && count(422..423) > numbers.len() / 10, "{answers:?}");
}

/// Sends one request with a body that is right, or was; answers with which status it was answered.
async fn try_one(writer: &mut Writer, route: &Route, side: &mut Side, random: &SeededRandom) -> u16 {
    let mut request = writer.own(route, side);
    let below = |bound: usize| usize::try_from(random.next_u64() % bound as u64).unwrap();
    if below(2) == 0 {
        request.body.clone_from(&route.example);
    }
    for _ in 0..below(3) {
        spoil(request.body.get_or_insert_with(|| json!({})), &below);
    }
    // A 5xx fails in here.
    let answer = request.send(&side.client).await;
    if answer.status.is_client_error() {
        let (_, code) = answer.problem();
        assert!(code != "unauthorized" && code != "internal_error", "{}: {}", request.line(), answer.text);
    } else {
        side.learn(&answer.json);
    }
    answer.status.as_u16()
}

/// Changes one place of a body.
fn spoil(body: &mut Value, below: &impl Fn(usize) -> usize) {
    let places = places(body);
    let place = &places[below(places.len())];
    let other = body.pointer(&places[below(places.len())]).cloned().unwrap_or_default();
    let Some(target) = body.pointer_mut(place) else { return };
    match (below(6), target) {
        (0, Value::Object(members)) => {
            members.insert("unknown".to_owned(), other);
        }
        (0 | 1, Value::Array(items)) if !items.is_empty() => {
            let item = items[below(items.len())].clone();
            items.extend(std::iter::repeat_n(item, [1, 30, 1_000][below(3)]));
        }
        (1, Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(below(members.len())).cloned();
            name.and_then(|name| members.remove(&name));
        }
        (2, target) => *target = other,
        (_, target) => *target = odd(below),
    }
}

/// Every place in a body, as a JSON pointer.
fn places(body: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut within = |at: String, value: &Value| {
        found.extend(places(value).into_iter().map(|place| format!("/{at}{place}")));
    };
    match body {
        Value::Array(items) => items.iter().enumerate().for_each(|(at, one)| within(at.to_string(), one)),
        Value::Object(members) => members.iter().for_each(|(name, one)| within(name.clone(), one)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

/// What stands at the edges of types, forms and ranges, or beyond them.
fn odd(below: &impl Fn(usize) -> usize) -> Value {
    const TEXTS: [&str; 34] = [
        "",
        " ",
        "\u{0}",
        "\u{202e}",
        "é",
        "🧾",
        "null",
        "-1",
        "0",
        "0.00",
        "-0.01",
        "0.001",
        "1e9",
        "NaN",
        "99999999999999.99",
        "9999999999999999999999",
        "-99999999999999.99",
        "0.000001",
        "100.0001",
        "2025-02-30",
        "2024-02-29",
        "0000-01-01",
        "0001-01-01",
        "9999-12-31",
        "2025-01-01T00:00:00Z",
        "ES",
        "EUR",
        "JPY",
        "XXX",
        "es_vat_21",
        "4300000",
        "con_00000000000000000000000000",
        "acc_01",
        "' OR 1=1 --",
    ];
    match below(12) {
        0 => Value::Null,
        1 => json!(below(2) == 0),
        2 => json!([0, 1, -1, 53, 366, 10_001, i64::MAX, i64::MIN][below(8)]),
        3 => json!([0.1, 1e308, -1e-308, 1.5][below(4)]),
        4 => json!("x".repeat([256, 1_001, 10_001, 100_000][below(4)])),
        5 => json!([]),
        6 => json!({}),
        7 => json!([[{"a": [null]}]]),
        _ => json!(TEXTS[below(TEXTS.len())]),
    }
}
