//! What operators see of a server that runs.

use serde_json::json;

use crate::harness::{Answer, Receiver, Site, await_that};

#[test]
fn health_readiness_and_metrics_are_on_the_admin_port() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let (admin, api) = (server.admin(), server.api(&token));
    assert_eq!(admin.get("/healthz").status, 200);
    assert_eq!(admin.get("/readyz").status, 200);
    let receiver = Receiver::answering(Answer::Status(200));
    let (subscription, _) = api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");
    receiver.next();
    let log = format!("/api/v1/webhooks/subscriptions/{subscription}/deliveries?status=delivered");
    await_that("the delivery is in the log", || api.get(&log).expect(200)["total"] == 1);

    let metrics = admin.get("/metrics");
    assert!(metrics.header("content-type").is_some_and(|kind| kind.starts_with("text/plain")));
    for line in [
        "svc_webhook_attempts_total{outcome=\"delivered\"} 1",
        "svc_webhook_delivery_seconds_bucket",
        "svc_webhook_queue_depth 0",
        "svc_outbox_events 0",
        "svc_webhook_oldest_due_seconds 0",
    ] {
        assert!(metrics.text.contains(line), "no `{line}` in\n{}", metrics.text);
    }
    server.stop();
}

#[test]
fn refusals_are_counted_by_code_and_draws_of_the_limits_by_outcome() {
    // So few that one request is drawn at a time, and as many in a month as in a minute: no turn of it matters.
    let site = Site::new().with("SVC_LIMITS__PER_MINUTE", "5").with("SVC_LIMITS__PER_MONTH", "5");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let problems = |code: &str| server.counted(&format!("http_problems_total{{code=\"{code}\"}}"));
    let draws = |outcome: &str| server.counted(&format!("svc_limit_draws_total{{outcome=\"{outcome}\"}}"));
    assert_eq!((problems("token_missing"), problems("token_invalid"), draws("granted")), (0, 0, 0));
    server.bare().get("/api/v1/auth/whoami").expect(401);
    for _ in 0..3 {
        server.api("junk").get("/api/v1/auth/whoami").expect(401);
    }
    server.bare().get("/api/v1/nothing").expect(404);
    let api = server.api(&token);
    let statuses = [(); 7].map(|()| api.get("/api/v1/auth/whoami").status);
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
    assert_eq!((problems("token_missing"), problems("token_invalid"), problems("not_found")), (1, 3, 1));
    assert_eq!(problems("quota_exceeded"), 2);
    assert_eq!((draws("granted"), draws("exhausted"), draws("failed")), (5, 0, 0));
    server.stop();

    // Another process does not know that the budget is used up: one draw tells it.
    let server = site.serve();
    let statuses = [(); 3].map(|()| server.api(&token).get("/api/v1/auth/whoami").status);
    assert_eq!(statuses, [429; 3]);
    assert_eq!(server.counted("svc_limit_draws_total{outcome=\"exhausted\"}"), 1);
    assert_eq!(server.counted("http_problems_total{code=\"quota_exceeded\"}"), 3);
    server.stop();
}

#[test]
fn a_port_that_is_taken_is_named_with_its_setting() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("bound").to_string();
    let run = Site::new().with("SVC_ADMIN_LISTEN", &address).run(&["serve", "--json"]);
    assert_eq!(run.status.code(), Some(1));
    let error = run.error();
    assert_eq!(error["code"], "port_taken");
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("SVC_ADMIN_LISTEN")), "{error}");
}

#[test]
fn commands_that_only_look_work_beside_a_server_on_a_sqlite_file() {
    let site = Site::new();
    let [account, _, token] = site.bootstrap();
    let server = site.serve();
    server.api(&token).contact("Luna SA");
    let tokens = site.json(&["token", "list"]);
    assert_eq!(tokens["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(site.json(&["audit", "heads"])["items"][0]["accountId"], account);
    assert_eq!(site.json(&["audit", "verify"])["ok"], true);
    assert!(site.run(&["doctor"]).status.success());
    let copy = site.path().join("copy.db");
    site.json(&["backup", copy.to_str().expect("text")]);
    // None of them held the server up.
    server.api(&token).contact("Sol SA");
    server.stop();
}

#[test]
fn without_the_dispatcher_changes_wait_for_the_next_start() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.start(&["serve", "--no-dispatch", "--json"]);
    let api = server.api(&token);
    let receiver = Receiver::answering(Answer::Status(200));
    api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");
    let metrics = server.admin().get("/metrics").text;
    assert!(metrics.contains("svc_outbox_events 2"), "the company's event and the contact's: {metrics}");
    server.stop();
    assert!(receiver.is_silent());

    let server = site.start(&["serve", "--dispatch-only", "--json"]);
    assert!(server.ready["api"].is_null());
    receiver.next();
    server.stop();
}

#[test]
fn limits_of_the_settings_are_kept() {
    let site = Site::new().with("SVC_LIMITS__PER_MINUTE", "2");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let statuses = [(); 3].map(|()| api.get("/api/v1/auth/whoami").status);
    assert_eq!(statuses, [200, 200, 429]);
    server.stop();
}

#[test]
fn a_target_that_is_not_exempt_is_refused() {
    let site = Site::new().with("SVC_WEBHOOKS__EXEMPT_TARGETS", "");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let receiver = Receiver::answering(Answer::Status(200));
    let body = json!({"name": "Inside", "url": receiver.url, "events": ["contact.create"]});
    let problem = server.api(&token).post("/api/v1/webhooks/subscriptions", &body).expect(422);
    assert_eq!(problem["code"], "webhook_url_not_allowed");
    server.stop();
}

#[test]
fn public_targets_are_on_the_ports_of_the_settings() {
    let site = Site::new().with("SVC_WEBHOOKS__EXEMPT_TARGETS", "").with("SVC_WEBHOOKS__PORTS", "8443, 9443");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    // An address, so that no name server is asked for it; nothing is sent there.
    let at = |port| json!({"name": "ERP", "url": format!("https://192.0.1.1:{port}/"), "events": ["contact.create"]});
    api.post("/api/v1/webhooks/subscriptions", &at(9443)).expect(201);
    let problem = api.post("/api/v1/webhooks/subscriptions", &at(443)).expect(422);
    assert_eq!(problem["code"], "webhook_url_not_allowed");
    assert_eq!(problem["errors"][0]["code"], "port_not_allowed");
    server.stop();
    let run = site.with("SVC_WEBHOOKS__PORTS", "").run(&["doctor"]);
    assert!(run.stdout.contains("takes one value at least"), "{run:?}");
}

#[test]
fn the_log_is_json_lines_on_standard_error() {
    let site = Site::new().with("SVC_LOG", "info");
    let applied = site.run(&["migrate", "--json"]);
    let told = applied.stderr.lines().filter(|line| line.contains("schema")).count();
    assert_eq!(told, 1, "one line, however many migrations: {}", applied.stderr);
    for line in applied.stderr.lines() {
        let event: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(event["level"].is_string() && event["timestamp"].is_string(), "{line}");
    }
    assert_eq!(applied.stdout.lines().count(), 1);
}
