//! Reads the rest of a request's body before it is answered.
//!
//! A server that answers and closes while the client still sends makes the client see a broken pipe in the place of the
//! answer: closing a socket with bytes unread resets the connection. So what a handler left of a body is read and thrown
//! away, up to a bound, and the answer goes out after it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http::Request;
use http::header::{CONTENT_LENGTH, EXPECT};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};

/// So much is read at most: more than any route takes.
const MOST: usize = 2 * 1024 * 1024;
/// And for so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// The body of a request, which the handler reads and the connection ends.
#[derive(Clone)]
struct Shared(Arc<Mutex<Incoming>>);

/// What may be left of a body.
pub(super) struct Rest(Option<Shared>);

impl Rest {
    /// The request for the handler, and what it may leave of the body.
    pub(super) fn of(request: Request<Incoming>) -> (Request<Body>, Self) {
        let (head, body) = request.into_parts();
        let length = head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        // A client that asks first sends nothing that is not read.
        let is_sent = !body.is_end_stream() && !head.headers.contains_key(EXPECT);
        if !is_sent || length.is_some_and(|length: usize| length > MOST) {
            return (Request::from_parts(head, Body::new(body)), Self(None));
        }
        let body = Shared(Arc::new(Mutex::new(body)));
        (Request::from_parts(head, Body::new(body.clone())), Self(Some(body)))
    }

    /// Reads it.
    pub(super) async fn discard(self) {
        let Some(mut body) = self.0.filter(|body| !body.is_end_stream()) else { return };
        let all = async {
            let mut read = 0;
            while let Some(Ok(frame)) = body.frame().await {
                read += frame.data_ref().map_or(0, Bytes::len);
                if read > MOST {
                    return;
                }
            }
        };
        // A client that takes longer sees what it would have seen.
        drop(tokio::time::timeout(PATIENCE, all).await);
    }
}

impl hyper::body::Body for Shared {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let mut body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Pin::new(&mut *body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}
