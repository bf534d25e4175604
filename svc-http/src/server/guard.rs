//! A connection as hyper reads it, watched for ambiguous framing and for a
//! client that never finishes its first head.
//!
//! hyper's own timeout starts only once it knows which version of HTTP it
//! speaks, so a client that sends nothing at all would hold its slot for ever.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::framing::Framing;

/// A watched connection.
pub(super) struct Guarded<S> {
    stream: S,
    framing: Framing,
    verdict: Verdict,
    first_head: Pin<Box<Sleep>>,
}

/// Tells whether a request of a connection said its length twice over.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict(Arc<AtomicBool>);

impl Verdict {
    pub(super) fn is_ambiguous(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<S> Guarded<S> {
    /// Watches `stream`, whose first head must be complete within `first_head`.
    pub(super) fn new(stream: S, first_head: Duration, longest_head: usize) -> (Self, Verdict) {
        let verdict = Verdict::default();
        let first_head = Box::pin(sleep(first_head));
        let framing = Framing::new(longest_head);
        (Self { stream, framing, verdict: verdict.clone(), first_head }, verdict)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_ready() {
            self.framing.feed(buf.filled().get(before..).unwrap_or_default());
            if self.framing.is_ambiguous() {
                self.verdict.0.store(true, Ordering::Relaxed);
            }
        } else if self.framing.awaits_first_head() && self.first_head.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
