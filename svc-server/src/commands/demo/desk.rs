//! The receiver of the demo, on a port of its own.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::failure::Failure;
use crate::receiver::{Receipt, Receiver, Verdict};
use crate::service::{address, serve};

/// A receiver that runs.
pub(super) struct Desk {
    pub(super) url: String,
    pub(super) receiver: Arc<Receiver>,
    pub(super) receipts: mpsc::UnboundedReceiver<Receipt>,
    /// The receiver ends when this is dropped.
    _running: DropGuard,
}

#[derive(Clone)]
struct Door {
    receiver: Arc<Receiver>,
    receipts: mpsc::UnboundedSender<Receipt>,
}

impl Desk {
    pub(super) async fn open() -> Result<Self, Failure> {
        let failed = |error| Failure::caused("demo_port", "the receiver has no port", &error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
        let url = format!("http://{}/hook", address(&listener)?);
        let receiver = Arc::new(Receiver::default());
        let (sender, receipts) = mpsc::unbounded_channel();
        let door = Door { receiver: Arc::clone(&receiver), receipts: sender };
        let router = Router::new().route("/hook", post(take)).with_state(door);
        let asked = CancellationToken::new();
        let running = asked.clone().drop_guard();
        tokio::spawn(serve(listener, router, asked));
        Ok(Self { url, receiver, receipts, _running: running })
    }
}

async fn take(State(door): State<Door>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let receipt = door.receiver.receive(&headers, &body);
    let status = match receipt.verdict {
        Verdict::Verified => StatusCode::OK,
        Verdict::Refused(_) | Verdict::Unknown => StatusCode::BAD_REQUEST,
    };
    // The demo does not look any more when it is ending.
    drop(door.receipts.send(receipt));
    status
}
