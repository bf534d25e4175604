//! The body of an answer that keeps something until it is sent, or given up: a place, a share, a count.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};

/// What a body keeps.
pub(crate) trait Keeps: Unpin {
    /// A piece of the body was taken.
    fn taken(&self) {}
}

impl<T: ?Sized> Keeps for std::sync::Arc<T> {}

/// Bytes of a piece.
const PIECE: usize = 16 * 1024;

/// A body with what it keeps.
///
/// It comes in small pieces: hyper takes one when there is room for it, so that a large body that its client does not
/// read stays here, where it counts, and not in a buffer of the connection.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    body: Body,
    /// What is left of the latest frame.
    rest: Bytes,
    held: T,
}

impl<T> Kept<T> {
    /// Keeps this until the body is dropped.
    pub(crate) fn with(body: Body, held: T) -> Self {
        Self { body, rest: Bytes::new(), held }
    }
}

impl<T: Keeps> hyper::body::Body for Kept<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other @ (Poll::Ready(_) | Poll::Pending) => return other,
            }
        }
        self.held.taken();
        let piece = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (body, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower().saturating_add(rest));
        if let Some(upper) = body.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}
