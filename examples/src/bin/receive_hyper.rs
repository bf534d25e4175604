//! A receiver in plain hyper: verifies every request over its exact bytes, and works on each event once.
//!
//! `SVC_WEBHOOK_SECRET=whsec_… cargo run -p svc-examples --bin receive_hyper -- 127.0.0.1:9099`

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use svc_core::system::SystemClock;
use svc_webhooks::clock::Clock as _;
use svc_webhooks::seen::{MemorySeen, once};
use svc_webhooks::signature::{Verified, Verifier};

/// Notifications are small, and the service itself waits no longer.
const LARGEST_BODY: usize = 64 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

struct Receiver {
    verifier: Verifier,
    seen: MemorySeen,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secrets = std::env::var("SVC_WEBHOOK_SECRET").unwrap_or_default();
    let verifier =
        Verifier::new(secrets.split(',')).map_err(|error| format!("SVC_WEBHOOK_SECRET: {error}"))?;
    let receiver = Arc::new(Receiver { verifier, seen: MemorySeen::default() });
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9099".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}/hooks", listener.local_addr()?);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Of one that is gone, or for want of a descriptor: one that ends sets one free.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let receiver = Arc::clone(&receiver);
        let service = service_fn(move |request| {
            let receiver = Arc::clone(&receiver);
            async move {
                Response::builder().status(receive(&receiver, request).await).body(Empty::<Bytes>::new())
            }
        });
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
        // A connection that breaks off concerns no other one.
        tokio::spawn(server.serve_connection(TokioIo::new(stream), service));
    }
}

#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn receive(receiver: &Receiver, request: Request<Incoming>) -> StatusCode {
    if request.method() != Method::POST || request.uri().path() != "/hooks" {
        return StatusCode::NOT_FOUND;
    }
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(PATIENCE, Limited::new(body, LARGEST_BODY).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE,
        Err(_) => return StatusCode::REQUEST_TIMEOUT,
    };
    let verified = match receiver.verifier.verify(&head.headers, &body, SystemClock.now()) {
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
    writeln!(io::stdout(), "{} {}", notification.event, notification.type_name)
}
