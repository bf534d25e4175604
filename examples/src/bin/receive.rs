//! A receiver in axum: verifies the signature over the exact bytes, answers a
//! repeat without repeating the work.
//!
//! `SVC_WEBHOOK_SECRET=whsec_… cargo run -p svc-examples --bin receive`

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use svc_core::clock::Clock as _;
use svc_examples::WallClock;
use svc_webhooks::signature;

struct Receiver {
    secret: String,
    /// A real receiver keeps these in its database, beside the work that they caused.
    seen: Mutex<HashSet<String>>,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secret =
        std::env::var("SVC_WEBHOOK_SECRET").map_err(|_| "set SVC_WEBHOOK_SECRET to the whsec_… secret")?;
    let receiver = Arc::new(Receiver { secret, seen: Mutex::default() });
    let app = Router::new().route("/hooks", post(receive)).with_state(receiver);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:9099").await?;
    println!("waiting for webhooks at http://{}/hooks", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}

#[expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]
async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let now = WallClock.now().unix_seconds();
    if let Err(error) = signature::verify(&receiver.secret, text("x-svc-webhook-signature"), &body, now) {
        println!("refused: {error}");
        return StatusCode::BAD_REQUEST;
    }
    let id = text("x-svc-webhook-id").to_owned();
    let new = receiver.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
    println!("{}{}", if new { "" } else { "again: " }, String::from_utf8_lossy(&body));
    StatusCode::OK
}
