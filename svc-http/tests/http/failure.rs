//! What goes wrong on our side, or half-way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use axum::body::Body;
use http::Request;
use serde_json::json;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Exchange, HttpSender, Outgoing, Refusal, SendError};
use tokio::sync::Notify;
use tower::ServiceExt;

use crate::test_app::{TestApp, Want, any_answer};

fn request(token: &str, key: &str) -> Request<Body> {
    let body = json!({"name": "Shop", "url": "https://hooks.example.com", "events": ["contact.create"]});
    Request::post("/api/v1/webhooks/subscriptions")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("idempotency-key", key)
        .body(Body::from(body.to_string()))
        .unwrap()
}

/// Judges a URL only when it is let.
struct Gate {
    reached: Notify,
    open: Notify,
}

#[async_trait]
impl HttpSender for Gate {
    async fn check(&self, _: &Endpoint) -> Result<(), Refusal> {
        self.reached.notify_one();
        self.open.notified().await;
        Ok(())
    }

    async fn send(&self, _: Outgoing) -> Exchange {
        Exchange::ended(Err(SendError::Timeout))
    }
}

#[tokio::test]
async fn a_write_goes_on_when_its_client_goes_away() {
    let gate = Arc::new(Gate { reached: Notify::new(), open: Notify::new() });
    let app = TestApp::sending(gate.clone()).await;
    let client = app.client(Want::default()).await;
    let mut answer = Box::pin(app.router.clone().oneshot(request(&client.token, "k")));
    tokio::select! {
        _ = &mut answer => panic!("the gate is shut"),
        () = gate.reached.notified() => {}
    }
    drop(answer);
    gate.open.notify_one();
    // Every yield lets the task that goes on take a step; it has only a few to take.
    for _ in 0..1_000 {
        if client.get("/webhooks/subscriptions").await.json["total"] == 1 {
            let replay = any_answer(&app.router, request(&client.token, "k")).await.ok(201);
            assert_eq!(replay.header("idempotent-replayed"), "true");
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the subscription was never created");
}

/// Panics the first time.
#[derive(Default)]
struct Trap(AtomicBool);

#[async_trait]
impl HttpSender for Trap {
    async fn check(&self, _: &Endpoint) -> Result<(), Refusal> {
        assert!(self.0.swap(true, Ordering::SeqCst), "a secret of the inside");
        Ok(())
    }

    async fn send(&self, _: Outgoing) -> Exchange {
        Exchange::ended(Err(SendError::Timeout))
    }
}

#[tokio::test]
async fn a_panic_is_a_problem_without_details_and_lets_the_key_go() {
    let app = TestApp::sending(Arc::new(Trap::default())).await;
    let token = app.token(Want::default()).await;
    let failed = any_answer(&app.router, request(&token, "k")).await;
    assert_eq!(failed.problem(), (500, "internal_error"));
    assert!(!failed.text.contains("secret of the inside"));
    any_answer(&app.router, request(&token, "k")).await.ok(201);
}

#[tokio::test]
async fn a_store_that_is_down_is_no_reason_to_tell_how() {
    let app = TestApp::new().await;
    let token = app.token(Want::default()).await;
    app.auth.set_down(true);
    let failed = any_answer(&app.router, request(&token, "k")).await;
    assert!(failed.status.is_server_error());
    assert!(["internal_error", "busy"].contains(&failed.problem().1));
    app.auth.set_down(false);
    any_answer(&app.router, request(&token, "k")).await.ok(201);
}
