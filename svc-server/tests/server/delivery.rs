//! From a change to a receiver, through the whole service.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, mpsc};

use serde_json::{Value, json};

use crate::harness::{Answer, Api, Receiver, Site};

#[test]
fn a_change_arrives_once_signed_and_as_the_specification_writes_it() {
    a_change_arrives(&Site::new());
}

pub(crate) fn a_change_arrives(site: &Site) {
    let [account, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let receiver = Receiver::answering(Answer::Status(200));
    let made = api.post(
        "/api/v1/webhooks/subscriptions",
        &json!({"name": "CRM", "url": receiver.url, "events": ["contact.create"]}),
    );
    let made = made.expect(201);
    for member in ["id", "name", "url", "events", "secret", "message"] {
        assert!(made.get(member).is_some(), "{member} is missing in {made}");
    }

    let reply = api.post("/api/v1/contacts", &json!({"kind": "organization", "legalName": "Luna SA"}));
    let contact = reply.expect(201);
    assert!(reply.header("location").is_some_and(|at| at.ends_with(contact["id"].as_str().expect("an id"))));
    assert_eq!(reply.header("etag"), Some("\"1\""));

    let hit = receiver.next();
    hit.assert_signed_with(made["secret"].as_str().expect("a secret"));
    assert_eq!(hit.header("Content-Type"), "application/json");
    let agent = hit.header("User-Agent");
    assert!(agent.starts_with("SVC-Webhooks/1.0 (") && agent.ends_with(')'), "{agent}");
    assert_eq!(hit.header("X-SVC-Webhook-Event"), "contact.create");
    assert!(hit.delivery_id().starts_with("dlv_"));
    assert!(hit.header("X-SVC-Webhook-Date").ends_with('Z'));
    assert_eq!(hit.header("X-SVC-Webhook-Account-Id"), account);
    assert_eq!(hit.header("X-SVC-Webhook-Version"), "v1");

    let body = hit.json();
    assert_eq!(body["id"], hit.event_id());
    assert_eq!(body["type"], "contact.create");
    assert_eq!(body["account_id"], account);
    assert_eq!(body["data"], json!({"object": "contact", "id": contact["id"]}));
    let places = ["\"id\"", "\"type\"", "\"occurred_at\"", "\"account_id\"", "\"data\"", "\"object\""]
        .map(|key| hit.body.find(key).unwrap_or_else(|| panic!("no {key} in {}", hit.body)));
    assert!(places.is_sorted(), "{}", hit.body);
    assert!(!hit.body.contains("Luna"), "a notification carries no data: {}", hit.body);

    let log = await_log(&api, made["id"].as_str().expect("an id"), "delivered", 1);
    assert_eq!(log[0]["id"], hit.delivery_id());
    server.stop();
    assert!(receiver.is_silent(), "it was sent once");
}

#[test]
fn a_receiver_that_always_fails_is_called_six_times_and_a_redelivery_is_a_new_one() {
    six_attempts(&Site::new());
}

pub(crate) fn six_attempts(site: &Site) {
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let receiver = Receiver::answering(Answer::Status(500));
    let (subscription, secret) = api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");

    let hits: Vec<_> = (0..6).map(|_| receiver.next()).collect();
    let log = await_log(&api, &subscription, "failed", 1);
    assert!(receiver.is_silent(), "the seventh attempt must not happen");
    let ids = |of: fn(&crate::harness::Hit) -> &str| hits.iter().map(of).collect::<BTreeSet<_>>();
    assert_eq!(ids(|hit| hit.event_id()).len(), 1);
    assert_eq!(ids(|hit| hit.delivery_id()).len(), 1);
    for hit in &hits {
        hit.assert_signed_with(&secret);
    }
    assert_eq!(log[0]["attempts"], 6);
    assert_eq!(log[0]["lastStatusCode"], 500);

    let delivery = hits[0].delivery_id();
    let again =
        api.post(&format!("/api/v1/webhooks/deliveries/{delivery}/redeliver"), &json!({})).expect(202);
    let hit = receiver.next();
    assert_eq!(hit.event_id(), hits[0].event_id());
    assert_eq!(hit.body, hits[0].body);
    assert_eq!(again["id"], hit.delivery_id());
    assert_ne!(hit.delivery_id(), delivery);
    server.stop();
}

#[test]
fn a_redirect_is_a_failure_and_is_not_followed() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let elsewhere = Receiver::answering(Answer::Status(200));
    let receiver = Receiver::answering(Answer::Redirect(elsewhere.url.clone()));
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");
    let log = await_log(&api, &subscription, "failed", 1);
    assert_eq!(log[0]["lastStatusCode"], 302);
    assert!(elsewhere.is_silent());
    server.stop();
}

#[test]
fn no_answer_within_the_timeout_is_a_failure() {
    let site = Site::new().with("SVC_WEBHOOKS__TIMEOUT", "100ms");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let (_hold, release) = mpsc::channel();
    let receiver = Receiver::answering(Answer::Held(Arc::new(Mutex::new(release))));
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");
    let log = await_log(&api, &subscription, "failed", 1);
    assert_eq!(log[0]["lastStatusCode"], Value::Null);
    assert_eq!(log[0]["attempts"], 6);
    server.stop();
}

#[test]
fn nothing_is_lost_when_the_server_is_killed_with_500_events_undelivered() {
    killed(Site::new());
}

pub(crate) fn killed(site: Site) {
    // The waits leave room for the time that the receiver is down, on a slow machine too.
    let site = site.with("SVC_WEBHOOKS__RETRY_WAITS", "5s,5s,5s,5s,5s").with("SVC_WEBHOOKS__TIMEOUT", "1s");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let address = free_address();
    let (_, secret) = api.subscribe(&format!("http://{address}/hook"), &["contact.create"]);
    let mut missing: BTreeSet<String> =
        (0..500).map(|number| api.contact(&format!("Luna {number}"))).collect();
    assert_eq!(missing.len(), 500);
    server.kill();

    let receiver = Receiver::open(address, Answer::Status(200));
    let server = site.serve();
    while !missing.is_empty() {
        let hit = receiver.next();
        hit.assert_signed_with(&secret);
        missing.remove(hit.json()["data"]["id"].as_str().expect("an id"));
    }
    server.stop();
}

#[test]
fn an_attempt_under_way_is_finished_before_the_server_ends() {
    finished(&Site::new());
}

pub(crate) fn finished(site: &Site) {
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let (hold, release) = mpsc::channel::<()>();
    let receiver = Receiver::answering(Answer::Held(Arc::new(Mutex::new(release))));
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");
    receiver.next();
    server.terminate();
    drop(hold);
    assert!(server.wait().success());

    let server = site.serve();
    let log = await_log(&server.api(&token), &subscription, "delivered", 1);
    assert_eq!(log[0]["attempts"], 1);
    server.stop();
    assert!(receiver.is_silent(), "it was sent once");
}

#[test]
fn a_request_under_way_is_answered_before_the_server_ends() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let (hold, release) = mpsc::channel::<()>();
    let receiver = Receiver::answering(Answer::Held(Arc::new(Mutex::new(release))));
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    // The test operation answers when the receiver did.
    let caller = std::thread::spawn(move || {
        api.post(&format!("/api/v1/webhooks/subscriptions/{subscription}/test"), &json!({}))
    });
    assert_eq!(receiver.next().header("X-SVC-Webhook-Event"), "webhook.test");
    server.terminate();
    drop(hold);
    let report = caller.join().expect("answered").expect(200);
    assert_eq!(report["delivered"], true);
    assert!(server.wait().success());
}

#[test]
fn a_slow_receiver_holds_up_no_other_one() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let (_hold, release) = mpsc::channel::<()>();
    let slow = Receiver::answering(Answer::Held(Arc::new(Mutex::new(release))));
    let quick = Receiver::answering(Answer::Status(204));
    api.subscribe(&slow.url, &["contact.create"]);
    api.subscribe(&quick.url, &["contact.create"]);
    for number in 0..20 {
        api.contact(&format!("Luna {number}"));
    }
    for _ in 0..20 {
        quick.next();
    }
    server.kill();
}

/// The log of a subscription, once it has `count` deliveries with `status`.
#[track_caller]
fn await_log(api: &Api, subscription: &str, status: &str, count: usize) -> Vec<Value> {
    let path = format!("/api/v1/webhooks/subscriptions/{subscription}/deliveries?status={status}");
    let deadline = std::time::Instant::now() + crate::harness::PATIENCE;
    loop {
        let log = api.get(&path).expect(200);
        let items = log["items"].as_array().expect("a list").clone();
        if items.len() >= count {
            return items;
        }
        assert!(std::time::Instant::now() < deadline, "not {count} {status} in {log}");
    }
}

/// An address with a closed port at present.
pub(crate) fn free_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.local_addr().expect("bound")
}
