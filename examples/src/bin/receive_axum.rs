//! A receiver in axum: verifies every request over its exact bytes, and works on each event once.
//!
//! `SVC_WEBHOOK_SECRET=whsec_… cargo run -p svc-examples --bin receive_axum -- 127.0.0.1:9099`
//!
//! While a secret is being replaced, name both with a comma between.

use std::io::{self, Write as _};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use svc_core::system::SystemClock;
use svc_webhooks::clock::Clock as _;
use svc_webhooks::seen::{MemorySeen, once};
use svc_webhooks::signature::{Verified, Verifier};

/// Notifications are small; anything larger is none.
const LARGEST_BODY: usize = 64 * 1024;

struct Receiver {
    verifier: Verifier,
    /// A receiver of several processes keeps these in its database: `impl Seen`.
    seen: MemorySeen,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secrets = std::env::var("SVC_WEBHOOK_SECRET").unwrap_or_default();
    let verifier =
        Verifier::new(secrets.split(',')).map_err(|error| format!("SVC_WEBHOOK_SECRET: {error}"))?;
    let receiver = Arc::new(Receiver { verifier, seen: MemorySeen::default() });
    let app = Router::new()
        .route("/hooks", post(receive))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(receiver);
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9099".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}/hooks", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}

/// `Bytes`, not `Json`: a body that was parsed and written again no longer has its signature.
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let verified = match receiver.verifier.verify(&headers, &body, SystemClock.now()) {
        Ok(verified) => verified,
        Err(error) => {
            println!("refused: {error}");
            return StatusCode::BAD_REQUEST;
        }
    };
    let handled = once(&receiver.seen, &SystemClock, &verified.event, async { work(&verified) }).await;
    StatusCode::from_u16(handled.status()).expect("a status of HTTP")
}

/// What happens once for each event. An error here makes the service send it again.
fn work(notification: &Verified<'_>) -> io::Result<()> {
    let Verified { event, type_name, object, object_id, .. } = notification;
    writeln!(io::stdout(), "{event} {type_name}: ask for {object} {object_id}")
}
