//! Who comes in, and what the others are told.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures_util::stream::once;
use serde_json::json;
use svc_auth::token::{ConnectionRole, Lifecycle};
use svc_core::role::Role;

use crate::world::{Era, World};

const METADATA: &str =
    r#"resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp""#;

fn list() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} }).to_string()
}

#[tokio::test]
async fn both_revisions_of_the_protocol_are_spoken_on_one_address() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::ReadOnly).await;
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "desk", "version": "1" } },
    });
    let begun = world.send(Some(&token), &[], hello.to_string()).await;
    assert_eq!(
        (begun.status, &begun.json["result"]["protocolVersion"]),
        (200, &json!("2025-11-25")),
        "{begun:?}"
    );
    assert!(begun.json["result"]["instructions"].as_str().unwrap().contains("untrusted"));
    assert_eq!(begun.header("mcp-session-id"), "");
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let headers = [("mcp-protocol-version", "2025-11-25")];
    assert_eq!(world.send(Some(&token), &headers, ready.to_string()).await.status, 202);

    let found = world.ask(Era::Stateless, &token, "server/discover", json!({})).await;
    assert_eq!(found.status, 200, "{found:?}");
    for era in [Era::Initialized, Era::Stateless] {
        let listed = world.ask(era, &token, "tools/list", json!({})).await;
        let again = world.ask(era, &token, "tools/list", json!({})).await;
        assert_eq!(listed.json, again.json);
        let tools = listed.json["result"]["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, World::tools()[..20], "{era:?}");
        for empty in ["resources/list", "prompts/list"] {
            let listed = world.ask(era, &token, empty, json!({})).await;
            assert_eq!(listed.status, 200, "{era:?} {empty} {listed:?}");
            assert!(listed.json["error"].is_null(), "{era:?} {empty} {listed:?}");
        }
        let overview = world
            .ask(era, &token, "tools/call", json!({ "name": "company_overview", "arguments": {} }))
            .await;
        assert_eq!(overview.content()["company"], world.acme.to_string());
        assert!(
            !overview.header("ratelimit").is_empty() || !overview.header("x-ratelimit-limit").is_empty(),
            "{overview:?}"
        );
    }
}

#[tokio::test]
async fn who_is_not_let_in_is_told_where_access_is_had() {
    let world = World::new().await;
    let none = world.send(None, &[], list()).await;
    assert_eq!(none.status, 401);
    assert_eq!(none.header("www-authenticate"), format!("Bearer {METADATA}, scope=\"mcp:read\""));
    let invalid = format!("Bearer error=\"invalid_token\", {METADATA}, scope=\"mcp:read\"");
    for token in ["x", "mcp_at_guess", "svc_live_guess"] {
        let refused = world.send(Some(token), &[], list()).await;
        assert_eq!((refused.status, refused.header("www-authenticate")), (401, &*invalid), "{token}");
    }
    // A token works without a connection, unless it has a list of addresses.
    let token = world.token(&["contacts:contacts.read"], &[]).await;
    let listed = world.ask(Era::Initialized, &token, "tools/list", json!({})).await;
    assert_eq!(listed.json["result"]["tools"].as_array().unwrap().len(), World::tools().len());
    let bound = world.token(&["read"], &["127.0.0.1"]).await;
    let refused = world.send(Some(&bound), &[], list()).await;
    assert_eq!((refused.status, &refused.json["code"]), (403, &json!("ip_restricted_token_not_allowed")));
    assert_eq!(refused.header("www-authenticate"), "");
}

/// A model reads the list with every conversation: it is short, and the same each time so that it can be kept.
#[tokio::test]
async fn the_list_of_tools_is_short_and_always_the_same() {
    let world = World::new().await;
    for (role, most) in [(ConnectionRole::ReadOnly, 24 * 1024), (ConnectionRole::Full, 48 * 1024)] {
        let token = world.assistant(Role::Holder, role).await;
        for era in [Era::Initialized, Era::Stateless] {
            let listed = async || world.ask(era, &token, "tools/list", json!({})).await.json.to_string();
            let (first, second) = (listed().await, listed().await);
            assert!(first.contains("\"tools\":[{"), "{first}");
            // What a change alone takes is told too.
            assert_eq!(first.contains("Of a record that is there."), role == ConnectionRole::Full);
            assert!((8_000..=most).contains(&first.len()), "{role:?}: {} bytes", first.len());
            assert_eq!(first, second);
        }
    }
}

#[tokio::test]
async fn a_connection_that_is_off_or_over_is_refused_with_the_next_call() {
    let world = World::new().await;
    let (credential, token) = world.connected(Role::Holder, ConnectionRole::ReadOnly).await;
    let status = async || world.send(Some(&token), &[], list()).await.status;
    assert_eq!(status().await, 200);
    world.move_to(&credential, Lifecycle::Disabled).await;
    assert_eq!(status().await, 401);
    world.move_to(&credential, Lifecycle::Active).await;
    assert_eq!(status().await, 200);
    world.clock.advance(Duration::from_hours(1));
    assert_eq!(status().await, 401);
}

#[tokio::test]
async fn a_connection_that_is_switched_off_while_its_request_comes_in_is_refused() {
    let world = Arc::new(World::new().await);
    let (credential, token) = world.connected(Role::Holder, ConnectionRole::ReadOnly).await;
    let slow = |seconds: u64| {
        let (world, credential) = (Arc::clone(&world), credential.clone());
        Body::from_stream(once(async move {
            world.clock.advance(Duration::from_secs(seconds));
            world.move_to(&credential, Lifecycle::Disabled).await;
            Ok::<_, Infallible>(list())
        }))
    };
    assert_eq!(world.send(Some(&token), &[], slow(2)).await.status, 401);
    world.move_to(&credential, Lifecycle::Active).await;
    assert_eq!(world.send(Some(&token), &[], slow(0)).await.status, 200, "as on the API, for a second");
}

#[tokio::test]
async fn a_call_beyond_the_role_asks_for_the_scopes_that_it_needs() {
    let world = World::new().await;
    let reader = world.assistant(Role::Holder, ConnectionRole::ReadOnly).await;
    let refused = world.tool(&reader, "contact_save", json!({ "data": {} })).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(
        refused.header("www-authenticate"),
        format!("Bearer error=\"insufficient_scope\", scope=\"mcp:read mcp:write\", {METADATA}")
    );
    let unknown = world.tool(&reader, "users_delete", json!({})).await;
    assert_eq!((unknown.status, unknown.json["error"]["code"].as_i64()), (200, Some(-32_602)), "{unknown:?}");
}

#[tokio::test]
async fn other_sites_other_names_and_what_is_no_message_are_refused() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::ReadOnly).await;
    for header in [("origin", "https://evil.example"), ("origin", "null"), ("host", "evil.example")] {
        let refused = world.send(Some(&token), &[header], list()).await;
        assert!([400, 403].contains(&refused.status), "{header:?} {}", refused.status);
    }
    let own = world.send(Some(&token), &[("origin", "http://127.0.0.1:8080")], list()).await;
    assert_eq!(own.status, 200);
    assert_eq!(own.header("access-control-allow-origin"), "http://127.0.0.1:8080");
    let batch = format!("[{}]", list());
    for (body, code) in
        [("", -32_700), ("{", -32_700), ("[]", -32_600), ("null", -32_600), (&*batch, -32_600)]
    {
        let refused = world.send(Some(&token), &[], body.to_owned()).await;
        assert_eq!((refused.status, refused.json["error"]["code"].as_i64()), (400, Some(code)), "{body:?}");
        assert_eq!(refused.header("content-type"), "application/json");
    }
    let refused = world.send(Some(&token), &[], "{\"jsonrpc\":\"2.0\"}").await;
    assert!((400..500).contains(&refused.status), "{refused:?}");
    for (method, params, code) in [
        ("tools/list", json!({ "cursor": "x" }), -32_602),
        ("resources/read", json!({ "uri": "svc://files/1" }), -32_002),
        ("prompts/get", json!({ "name": "x" }), -32_602),
    ] {
        let refused = world.ask(Era::Initialized, &token, method, params).await;
        assert_eq!(refused.json["error"]["code"], code, "{method} {refused:?}");
    }
    let long = world.send(Some(&token), &[], "x".repeat(1_100_000)).await;
    assert_eq!((long.status, &long.json["code"]), (413, &json!("payload_too_large")));
}

/// A page of an origin on the list may ask and read; its browser asks before.
#[tokio::test]
async fn pages_of_listed_origins_may_call_and_others_may_not() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::ReadOnly).await;
    let inspector = ("origin", "http://localhost:6274");
    let listed = world.send(Some(&token), &[inspector], list()).await;
    assert_eq!((listed.status, listed.header("access-control-allow-origin")), (200, inspector.1));
    let none = world.send(None, &[inspector], list()).await;
    assert_eq!((none.status, none.header("access-control-allow-origin")), (401, inspector.1));
    let exposed = none.header("access-control-expose-headers");
    assert!(
        exposed.contains("WWW-Authenticate") && none.header("vary").to_lowercase().contains("origin"),
        "{none:?}"
    );
    for (origin, status) in
        [(inspector.1, 204), ("https://evil.example", 403), ("http://localhost:6275", 403)]
    {
        let asked = world.preflight(origin).await;
        let shared = if status == 204 { origin } else { "" };
        assert_eq!((asked.status, asked.header("access-control-allow-origin")), (status, shared), "{origin}");
        let sent = asked.header("access-control-allow-headers");
        assert_eq!(sent.contains("Authorization") && sent.contains("Mcp-Method"), status == 204, "{origin}");
    }
}
