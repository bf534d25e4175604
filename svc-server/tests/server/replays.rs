//! Sending again, through the whole service and its deaths.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::delivery::free_address;
use crate::harness::{Api, Site, await_that};

/// Events that are sent again: several steps of a replay.
const EVENTS: u64 = 1_200;
/// Servers that die over it, unless it is through before.
const KILLS: usize = 5;

#[test]
fn a_replay_goes_on_after_kills_and_adds_nothing_twice() {
    killed(&Site::new());
}

pub(crate) fn killed(site: &Site) {
    let [_, _, token] = site.bootstrap();
    let mut server = site.serve();
    let mut api = server.api(&token);
    for hundred in 0..EVENTS / 100 {
        let item = |number| json!({"kind": "organization", "legalName": format!("Luna {hundred} {number}")});
        let items: Vec<Value> = (0..100).map(item).collect();
        api.post("/api/v1/contacts/bulk", &json!({ "items": items })).expect(200);
    }
    // Once they are fanned out without a receiver, what the subscription gets is the replay's alone.
    let in_outbox = || site.json(&["queue", "status"])["outbox"]["events"].clone();
    await_that("the outbox is empty", || in_outbox() == json!({"count": 0, "exact": true}));
    // The port is closed: attempts end at once, so that no lease of a dead server holds the replay up.
    let (subscription, _) = api.subscribe(&format!("http://{}/hook", free_address()), &["contact.create"]);
    let path = format!("/api/v1/webhooks/subscriptions/{subscription}");
    let started = api.post(&format!("{path}/replay"), &json!({"from": "2020-01-01"})).expect(202);
    assert_eq!(started["matched"], EVENTS);
    let replay = format!("/api/v1/webhooks/replays/{}", started["id"].as_str().expect("an id"));

    let mut sent = 0;
    for _ in 0..KILLS {
        await_that("the replay goes on", || {
            let now = api.get(&replay).expect(200)["sent"].as_u64().expect("a number");
            let goes_on = now > sent || now == EVENTS;
            sent = now;
            goes_on
        });
        server.kill();
        server = site.serve();
        api = server.api(&token);
    }
    await_that("the replay is through", || api.get(&replay).expect(200)["status"] == "completed");
    assert_eq!(api.get(&replay).expect(200)["sent"], EVENTS);
    let added = events(&api, &path);
    assert_eq!(added.values().sum::<u64>(), EVENTS, "nothing was added twice");
    assert_eq!(added.len() as u64, EVENTS, "and nothing was left out");
    server.kill();
}

/// How many deliveries of each event the log of a subscription has.
fn events(api: &Api, subscription: &str) -> BTreeMap<String, u64> {
    let mut events = BTreeMap::new();
    for page in 1.. {
        let log = api.get(&format!("{subscription}/deliveries?limit=200&page={page}")).expect(200);
        for item in log["items"].as_array().expect("a list") {
            *events.entry(item["eventId"].as_str().expect("an id").to_owned()).or_default() += 1;
        }
        if log["hasMore"] == false {
            break;
        }
    }
    events
}
