//! `queue status`, and the ways to a delivery that is late.

use std::sync::{Arc, Mutex, mpsc};

use serde_json::{Value, json};

use crate::harness::{Answer, PATIENCE, Receiver, Server, Site, Terminal, await_that};

/// More than a receiver that never answered gets leased at a time.
const CONTACTS: usize = 40;

/// A server whose one receiver never answers, so that most deliveries stay due.
fn held() -> (Site, Server, String, mpsc::Sender<()>) {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let (hold, release) = mpsc::channel();
    let receiver = Receiver::answering(Answer::Held(Arc::new(Mutex::new(release))));
    let api = server.api(&token);
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    for number in 0..CONTACTS {
        api.contact(&format!("Luna {number} SA"));
    }
    (site, server, subscription, hold)
}

#[test]
fn queue_status_tells_whose_receiver_deliveries_wait_for() {
    let (site, server, subscription, hold) = held();
    let mut found = Value::Null;
    await_that("all are fanned out, some leased", || {
        found = site.json(&["queue", "status"]);
        found["outbox"]["events"] == json!({"count": 0, "exact": true})
            && found["deliveries"]["waiting"] == json!({"count": CONTACTS, "exact": true})
            && found["deliveries"]["leased"]["count"].as_u64() >= Some(4)
    });
    let lane = &found["subscriptions"][0];
    assert_eq!(
        [&lane["subscriptionId"], &lane["name"], &lane["company"], &lane["host"], &lane["attempts"]],
        [&json!(subscription), &json!("Test"), &json!("Sol SL"), &json!("127.0.0.1"), &json!("first")]
    );
    let of = |name: &str| lane[name]["count"].as_u64().expect("a number");
    assert_eq!(of("due") + of("leased"), of("waiting"), "{lane}");
    assert_eq!(found["deliveries"]["oldestDue"]["since"], lane["oldestDue"]["since"]);
    assert_eq!(found["latest"]["pending"], CONTACTS);

    // Without a terminal it is printed once; only the host of the URL is shown.
    let run = site.run(&["queue", "status"]);
    assert!(run.status.success(), "{run:?}");
    for text in ["outbox", "empty", "40 waiting: ", "Sol SL", &subscription, "127.0.0.1", "first"] {
        assert!(run.stdout.contains(text), "no `{text}` in\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("hook") && !found.to_string().contains("hook"), "{}", run.stdout);
    drop(hold);
    server.stop();
}

#[test]
fn queue_status_shows_events_that_no_server_takes() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.start(&["serve", "--no-dispatch", "--json"]);
    server.api(&token).contact("Luna SA");
    let found = site.json(&["queue", "status", "--once"]);
    assert_eq!(found["outbox"]["events"]["count"], 2);
    assert!(found["outbox"]["oldest"]["since"].is_string(), "{found}");
    assert_eq!((&found["subscriptions"], &found["deliveries"]["oldestDue"]), (&json!([]), &Value::Null));
    server.stop();

    let found = site.json(&["doctor"]);
    let checks = found["checks"].as_array().expect("checks");
    let check = checks.iter().find(|check| check["name"] == "webhooks").expect("a check of webhooks");
    assert_eq!((&check["ok"], &check["warning"]), (&json!(true), &json!(false)), "{check}");
}

#[test]
fn queue_status_tells_of_the_day_of_each_company() {
    let site = Site::new();
    let [company, ..] = site.bootstrap();
    let found = site.json(&["queue", "status"]);
    let due = &found["jobs"]["due"][0];
    assert_eq!((&due["kind"], &due["accountId"]), (&json!("company_day"), &json!(company)), "{found}");
    let server = site.start(&["serve", "--json"]);
    let mut found = Value::Null;
    await_that("its day was run", || {
        found = site.json(&["queue", "status"]);
        let latest = found["jobs"]["latest"].as_array().expect("the latest runs").iter();
        let mut days = latest.filter(|job| job["kind"] == "company_day");
        found["jobs"]["due"] == json!([]) && days.any(|job| job["lastRun"]["outcome"] == "done")
    });
    assert_eq!(found["jobs"]["troubled"], json!([]), "{found}");
    // Another job of the company may have run after it.
    let run = site.run(&["queue", "status"]);
    for text in ["none is due; last ", &company] {
        assert!(run.stdout.contains(text), "no `{text}` in\n{}", run.stdout);
    }
    server.stop();
}

#[test]
fn queue_status_is_drawn_again_in_a_terminal_until_ctrl_c() {
    let site = Site::new();
    site.bootstrap();
    let mut terminal = Terminal::open(&site, &["queue", "status"]);
    for _ in 0..3 {
        // Each frame starts in the corner and ends with clearing what is below.
        let frame = terminal.until("\u{1b}[J");
        assert!(frame.contains("\u{1b}[H") && frame.contains("outbox"), "{frame:?}");
    }
    terminal.press("\u{3}");
    let (status, rest) = terminal.end(PATIENCE);
    assert!(status.success(), "{status}");
    assert!(rest.contains("\u{1b}[?25h"), "the cursor is shown again: {rest:?}");
}

#[test]
fn a_change_is_followed_by_ids_from_its_request_to_its_receiver() {
    let site = Site::new().with("SVC_LOG", "info,svc_webhooks=debug");
    let [_, _, token] = site.bootstrap();
    let (server, log) = site.serve_logged();
    let api = server.api(&token);
    let receiver = Receiver::answering(Answer::Status(200));
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    let reply = api.post("/api/v1/contacts", &json!({"kind": "organization", "legalName": "Luna SA"}));
    reply.expect(201);
    let hit = receiver.next();
    let line =
        |texts: &[&str]| -> Value { serde_json::from_str(&log.await_line(texts)).expect("a line of JSON") };
    let request = reply.header("x-request-id").expect("an id");
    let published = line(&["\"published\"", request]);
    assert_eq!((&published["event"], &published["kind"]), (&json!(hit.event_id()), &json!("contact.create")));
    let fanned_out = line(&["\"fanned out\"", hit.event_id()]);
    assert_eq!(
        (&fanned_out["delivery"], &fanned_out["subscription"]),
        (&json!(hit.delivery_id()), &json!(subscription))
    );
    let attempted = line(&["\"attempted\"", hit.delivery_id()]);
    let span = &attempted["span"];
    assert_eq!(
        [&span["delivery"], &span["event"], &span["subscription"], &span["attempt"], &span["host"]],
        [
            &json!(hit.delivery_id()),
            &json!(hit.event_id()),
            &json!(subscription),
            &json!(1),
            &json!("127.0.0.1")
        ]
    );
    assert_eq!(
        [&attempted["outcome"], &attempted["status"], &attempted["state"]],
        [&json!("delivered"), &json!(200), &json!("delivered")]
    );
    line(&["\"settled\""]);
    server.stop();
    assert!(!log.whole().contains("/hook"), "a receiver's URL is in the log");
}
