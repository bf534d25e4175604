//! A server behind a proxy that does TLS, listed or not.

use crate::harness::{Site, await_that};

#[test]
fn a_plain_request_to_a_server_behind_a_proxy_is_refused_unless_the_proxy_says_https() {
    let site = Site::new().with("SVC_BEHIND_PROXY", "true").with("SVC_TRUSTED_PROXIES", "127.0.0.0/8");
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    assert_eq!(api.get("/api/v1/auth/whoami").expect(403)["code"], "https_required");
    let said = |headers: &[(&str, &str)]| api.call("GET", "/api/v1/auth/whoami", headers, "").status;
    assert_eq!(said(&[("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "203.0.113.7")]), 200);
    assert_eq!(said(&[("X-Forwarded-Proto", "http")]), 403);
    server.stop();
    let site = site.with("SVC_FORWARDED_PROTO_HEADER", "X-Scheme");
    let server = site.serve();
    let api = server.api(&token);
    let said = |headers: &[(&str, &str)]| api.call("GET", "/api/v1/auth/whoami", headers, "").status;
    assert_eq!((said(&[("X-Scheme", "https")]), said(&[("X-Forwarded-Proto", "https")])), (200, 403));
    server.stop();
}

#[test]
fn clients_whose_proxy_tells_no_address_are_counted_and_warned_of_once_a_minute() {
    let site = Site::new().with("SVC_BEHIND_PROXY", "true").with("SVC_TRUSTED_PROXIES", "127.0.0.0/8");
    let [_, _, token] = site.bootstrap();
    let (server, log) = site.serve_logged();
    let api = server.api(&token);
    let ask = |headers: &[(&str, &str)]| {
        let said = [&[("X-Forwarded-Proto", "https")][..], headers].concat();
        api.call("GET", "/api/v1/auth/whoami", &said, "").expect(200);
    };
    ask(&[("X-Forwarded-For", "203.0.113.7")]);
    ask(&[]);
    for _ in 0..4 {
        let said = [("X-Forwarded-Proto", "https"), ("Authorization", "Bearer junk")];
        server.bare().call("GET", "/api/v1/auth/whoami", &said, "").expect(401);
    }
    log.await_line(&["WARN", "the address of a client is unknown", "trusted_proxies", "client_ip_header"]);
    // The keeper of tokens tells it every two seconds. The good token was cached: no attempt.
    let counted = || server.counted("svc_unknown_client_attempts_total");
    await_that("four attempts are counted", || counted() >= 4);
    assert_eq!(counted(), 4);
    server.stop();
    let warnings = log.whole().matches("the address of a client is unknown").count();
    // Of two minutes when the clock just turned.
    assert!((1..=2).contains(&warnings), "{warnings} warnings");
}

#[test]
fn an_https_url_over_plain_http_needs_a_proxy_that_is_listed() {
    let site = Site::new().with("SVC_PUBLIC_URL", "https://svc.example.com");
    let run = site.run(&["serve", "--json"]);
    assert_eq!(run.status.code(), Some(2));
    let error = run.error();
    assert_eq!(error["code"], "proxy_not_listed");
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("SVC_TRUSTED_PROXIES")), "{error}");
    assert_eq!(std::fs::read_dir(site.path()).expect("there").count(), 0, "before anything is made");
    // What keeps `serve` from starting, `doctor` tells beforehand.
    let run = site.run(&["doctor"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(run.stdout.contains("✗ https: `public_url` is https"), "{run:?}");
    // Who only sends webhooks serves no API, and commands do not serve at all.
    let [_, _, token] = site.bootstrap();
    let server = site.start(&["serve", "--dispatch-only", "--json"]);
    server.stop();
    let site = site.with("SVC_BEHIND_PROXY", "true").with("SVC_TRUSTED_PROXIES", "127.0.0.1");
    let run = site.run(&["doctor"]);
    assert!(run.status.success() && run.stdout.contains("✓ https: the proxies of"), "{run:?}");
    let server = site.serve();
    let said = [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "203.0.113.7")];
    server.api(&token).call("GET", "/api/v1/auth/whoami", &said, "").expect(200);
    server.stop();
}

#[test]
fn an_unlisted_proxy_of_this_machine_that_adds_a_header_of_forwarding_does_not_pass_for_this_machine() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    api.get("/api/v1/auth/whoami").expect(200);
    let through = [("X-Forwarded-For", "203.0.113.7")];
    let problem = api.call("GET", "/api/v1/auth/whoami", &through, "").expect(403);
    assert_eq!(problem["code"], "https_required");
    assert!(
        problem["detail"].as_str().is_some_and(|detail| detail.contains("`trusted_proxies`")),
        "{problem}"
    );
    server.stop();
}
