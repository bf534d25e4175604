//! A TCP stream whose other end takes what is sent, or loses it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Breaks when nothing of what waits to be sent leaves for 15 seconds.
///
/// hyper sends what it has before it closes, however late that is. A receiver that answers and reads nothing
/// would otherwise keep its connections for ever. This stands below TLS, which takes more than it sends.
pub(crate) struct WriteTimeout {
    tcp: TcpStream,
    /// Runs while something waits.
    stalled: Option<Pin<Box<Sleep>>>,
}

/// The receiver does not take what is sent.
#[derive(Debug, Error)]
#[error("the receiver takes nothing of what is sent")]
pub(crate) struct Stalled;

const MOST_STALLED: Duration = Duration::from_secs(15);

impl From<TcpStream> for WriteTimeout {
    fn from(tcp: TcpStream) -> Self {
        Self { tcp, stalled: None }
    }
}

impl WriteTimeout {
    fn in_time<T>(&mut self, cx: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.stalled = None;
            return sent;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(MOST_STALLED)));
        stalled.as_mut().poll(cx).map(|()| Err(io::Error::other(Stalled)))
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(cx, buf)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.tcp).poll_write(cx, buf);
        self.in_time(cx, sent)
    }

    /// TCP keeps nothing back: this says nothing of whether what was written leaves.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.tcp).poll_write_vectored(cx, bufs);
        self.in_time(cx, sent)
    }
}
