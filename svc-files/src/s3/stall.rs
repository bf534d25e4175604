//! An answer that stops in the middle is not waited for.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use object_store::client::{HttpError, HttpErrorKind};
use thiserror::Error;
use tokio::time::{Sleep, sleep};

use super::connector::kind_of_cause;

/// Time between two pieces of an answer.
const MOST_FOR_PIECE: Duration = Duration::from_secs(30);

/// The body of an answer, each piece of it in time.
pub(super) struct StallLimit {
    body: Incoming,
    /// Set while a piece is waited for: the time that the reader takes is not that of the sender.
    late: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug, Error)]
#[error("the answer stopped in the middle")]
struct Stalled;

impl StallLimit {
    pub(super) fn new(body: Incoming) -> Self {
        Self { body, late: None }
    }
}

impl Body for StallLimit {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.late = None;
            let failed = |error: hyper::Error| HttpError::new(kind_of_cause(&error), error);
            return Poll::Ready(frame.map(|frame| frame.map_err(failed)));
        }
        let late = self.late.get_or_insert_with(|| Box::pin(sleep(MOST_FOR_PIECE)));
        ready!(late.as_mut().poll(context));
        Poll::Ready(Some(Err(HttpError::new(HttpErrorKind::Timeout, Stalled))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
