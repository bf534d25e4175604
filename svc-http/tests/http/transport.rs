//! How requests came, and from where: HTTPS only, and addresses behind proxies.

use axum::body::Body;
use http::Request;
use http::request::Builder;
use svc_auth::limit::Limits;
use svc_http::Settings;
use svc_http::server::{Peer, Transport};
use svc_testkit::fakes::FakeSender;

use crate::test_app::{Answer, TestApp, Want, answer};

const PROXY: &str = "10.1.2.3:4000";
const STRANGER: &str = "203.0.113.1:4000";
const HSTS: &str = "strict-transport-security";

/// A world behind proxies of 10/8, and of this machine.
async fn proxied() -> TestApp {
    let trusted = ["10.0.0.0/8", "127.0.0.1/32", "2001:db8:f::/48"].map(|range| range.parse().unwrap());
    let settings = Settings::default().trusted_proxies(trusted.to_vec());
    TestApp::with(FakeSender::new(), Limits { per_minute: 1000, per_month: 1000 }, settings).await
}

fn from(peer: &str, transport: Transport) -> Builder {
    Request::get("/api/v1/auth/whoami").extension(Peer(peer.parse().unwrap())).extension(transport)
}

async fn send(app: &TestApp, request: Builder) -> Answer {
    answer(&app.router, request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_plain_request_from_elsewhere_is_refused_on_every_path_before_its_token_is_looked_at() {
    let app = TestApp::new().await;
    let token = app.token(Want::default()).await;
    for path in
        ["/api/v1/auth/whoami", "/api/v1/nothing", "/api/v1/openapi.json", "/docs/", "/", "/docs?token=x"]
    {
        for authorization in [format!("Bearer {token}"), "Bearer junk".to_owned()] {
            let request = from(STRANGER, Transport::Plain).uri(path).header("authorization", authorization);
            let refused = send(&app, request).await;
            assert_eq!(refused.problem(), (403, "https_required"), "{path}");
            assert_eq!(refused.header(HSTS), "", "over plain HTTP it means nothing (RFC 6797, section 7.2)");
            assert!(!refused.text.contains(&token));
        }
    }
}

#[tokio::test]
async fn a_request_of_which_the_server_does_not_tell_how_it_came_is_taken_for_plain() {
    let app = TestApp::new().await;
    let untold = Request::get("/api/v1/auth/whoami").extension(Peer(STRANGER.parse().unwrap()));
    assert_eq!(send(&app, untold).await.problem(), (403, "https_required"));
}

#[tokio::test]
async fn tls_of_our_own_is_let_in_from_anywhere_and_told_to_stay() {
    let app = proxied().await;
    let token = app.token(Want::default()).await;
    for (peer, said) in [(STRANGER, None), (STRANGER, Some("http")), (PROXY, None), (PROXY, Some("https"))] {
        let mut request = from(peer, Transport::Tls).header("authorization", format!("Bearer {token}"));
        if let Some(said) = said {
            request = request.header("x-forwarded-proto", said);
        }
        let answer = send(&app, request).await.ok(200);
        assert_eq!(answer.header(HSTS), "max-age=31536000", "{peer} {said:?}");
    }
    let unknown = send(&app, from(STRANGER, Transport::Tls).uri("/docs/nothing")).await;
    assert_eq!((unknown.problem(), unknown.header(HSTS)), ((404, "not_found"), "max-age=31536000"));
    let betrayed = from(PROXY, Transport::Tls).header("x-forwarded-proto", "http");
    assert_eq!(send(&app, betrayed).await.problem(), (403, "https_required"));
}

#[tokio::test]
async fn a_trusted_proxy_must_say_https_in_every_value() {
    let app = proxied().await;
    let token = app.token(Want::default()).await;
    let through = async |lines: &[&str]| {
        let mut request = from(PROXY, Transport::Plain).header("authorization", format!("Bearer {token}"));
        for line in lines {
            request = request.header("x-forwarded-proto", *line);
        }
        send(&app, request).await
    };
    for good in [&["https"][..], &["HTTPS"], &["https, https"], &["https", " https "]] {
        let answer = through(good).await.ok(200);
        assert_eq!(answer.header(HSTS), "max-age=31536000", "{good:?}");
    }
    for bad in [
        &[][..],
        &["http"],
        &[""],
        &["https, http"],
        &["http, https"],
        &["https", "http"],
        &["http", "https"],
        &["https,"],
        &["httpsx"],
        &["wss"],
        &["https;http"],
    ] {
        assert_eq!(through(bad).await.problem(), (403, "https_required"), "{bad:?}");
    }
}

#[tokio::test]
async fn only_the_configured_header_says_https() {
    let proto = http::HeaderName::from_static("x-scheme");
    let trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
    let settings = Settings::default().trusted_proxies(trusted_proxies).forwarded_proto_header(proto);
    let limits = Limits { per_minute: 1000, per_month: 1000 };
    let app = TestApp::with(FakeSender::new(), limits, settings).await;
    let other =
        from(PROXY, Transport::Plain).header("x-forwarded-proto", "https").header("forwarded", "proto=https");
    assert_eq!(send(&app, other).await.problem(), (403, "https_required"));
    let configured = from(PROXY, Transport::Plain).header("x-scheme", "https");
    assert_eq!(send(&app, configured).await.problem(), (401, "token_missing"));
}

#[tokio::test]
async fn spoofed_headers_of_an_untrusted_peer_change_nothing() {
    let app = proxied().await;
    let token = app.token(Want { allowed_ips: &["192.0.2.1"], ..Want::default() }).await;
    let spoof = |request: Builder| {
        request
            .header("authorization", format!("Bearer {token}"))
            .header("x-forwarded-proto", "https")
            .header("x-forwarded-for", "192.0.2.1")
            .header("forwarded", "for=192.0.2.1;proto=https")
            .header("x-real-ip", "192.0.2.1")
            .header("x-forwarded-host", "127.0.0.1")
    };
    let plain = send(&app, spoof(from(STRANGER, Transport::Plain))).await;
    assert_eq!(plain.problem(), (403, "https_required"));
    let secure = send(&app, spoof(from(STRANGER, Transport::Tls))).await;
    assert_eq!(secure.problem(), (403, "ip_not_allowed"));
    // The same headers do count from a proxy of ours.
    send(&app, spoof(from(PROXY, Transport::Plain))).await.ok(200);
}

#[tokio::test]
async fn plain_requests_of_this_machine_without_a_header_of_forwarding_pass_unless_a_listed_proxy_sends_them()
{
    let app = TestApp::new().await;
    for peer in ["127.0.0.1:4000", "127.9.9.9:4000", "[::1]:4000", "[::ffff:127.0.0.1]:4000"] {
        let passed = send(&app, from(peer, Transport::Plain)).await;
        assert_eq!((passed.problem(), passed.header(HSTS)), ((401, "token_missing"), ""), "{peer}");
    }
    let app = proxied().await;
    for peer in ["127.0.0.1:4000", "[::ffff:127.0.0.1]:4000"] {
        assert_eq!(send(&app, from(peer, Transport::Plain)).await.problem(), (403, "https_required"));
    }
}

#[tokio::test]
async fn a_plain_request_of_this_machine_with_a_header_of_forwarding_is_refused_unless_the_proxy_is_listed() {
    let settings = Settings::default()
        .client_ip_header(http::HeaderName::from_static("x-client"))
        .forwarded_proto_header(http::HeaderName::from_static("x-scheme"));
    let app =
        TestApp::with(FakeSender::new(), Limits { per_minute: 1000, per_month: 1000 }, settings.clone())
            .await;
    let token = app.token(Want::default()).await;
    let ask =
        |peer: &str, transport| from(peer, transport).header("authorization", format!("Bearer {token}"));
    for peer in ["127.0.0.1:4000", "[::1]:4000", "[::ffff:127.0.0.1]:4000"] {
        for (name, value) in [
            ("forwarded", "for=203.0.113.9;proto=https"),
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "svc.example.com"),
            ("x-real-ip", "203.0.113.9"),
            ("via", "1.1 front"),
            ("x-client", "203.0.113.9"),
            ("x-scheme", "https"),
            ("x-scheme", ""),
        ] {
            let refused = send(&app, ask(peer, Transport::Plain).header(name, value)).await;
            assert_eq!(refused.problem(), (403, "https_required"), "{peer} {name}");
            let detail = refused.json["detail"].as_str().unwrap();
            assert!(detail.contains("`trusted_proxies`") && !refused.text.contains(&token), "{detail}");
            send(&app, ask(peer, Transport::Tls).header(name, value)).await.ok(200);
        }
        send(&app, ask(peer, Transport::Plain).header("x-forwarding", "no")).await.ok(200);
    }
    let listed = settings.trusted_proxies(vec!["127.0.0.1/32".parse().unwrap()]);
    let app = TestApp::with(FakeSender::new(), Limits { per_minute: 1000, per_month: 1000 }, listed).await;
    let token = app.token(Want::default()).await;
    let through = from("127.0.0.1:4000", Transport::Plain).header("authorization", format!("Bearer {token}"));
    send(&app, through.header("x-scheme", "https").header("via", "1.1 front")).await.ok(200);
}

#[tokio::test]
async fn the_address_behind_trusted_proxies_is_judged_and_an_unknown_one_fails_every_list() {
    let app = proxied().await;
    let token =
        app.token(Want { allowed_ips: &["192.0.2.1", "2001:db8::7", "10.0.0.0/8"], ..Want::default() });
    let token = token.await;
    let through = async |peer: &str, lines: &[&str]| {
        let mut request = from(peer, Transport::Plain)
            .header("authorization", format!("Bearer {token}"))
            .header("x-forwarded-proto", "https");
        for line in lines {
            request = request.header("x-forwarded-for", *line);
        }
        let answer = send(&app, request).await;
        if answer.status.is_success() { "in".to_owned() } else { answer.problem().1.to_owned() }
    };
    for (peer, lines) in [
        (PROXY, &["192.0.2.1"][..]),
        (PROXY, &["203.0.113.9", "192.0.2.1, 10.0.0.9"]),
        (PROXY, &["junk, 192.0.2.1"]),
        (PROXY, &["::ffff:192.0.2.1"]),
        ("[::ffff:10.1.2.3]:4000", &["192.0.2.1:1234"]),
        ("[2001:db8:f::1]:4000", &["[2001:db8::7]:443"]),
    ] {
        assert_eq!(through(peer, lines).await, "in", "{peer} {lines:?}");
    }
    for lines in [
        &["192.0.2.1, 198.51.100.1"][..],
        &["192.0.2.1", "198.51.100.1"],
        // Unknown: the list names the proxy's own range, and still it fails.
        &[],
        &[""],
        &["192.0.2.1, junk"],
        &["192.0.2.1,"],
        &["unknown"],
    ] {
        assert_eq!(through(PROXY, lines).await, "ip_not_allowed", "{lines:?}");
    }
}
