//! An open connection, with or without TLS.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::{self, Connected};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;
use tokio_rustls::client::TlsStream;

use crate::idle_limit::IdlePermit;
use crate::trace::Trace;
use crate::write_timeout::WriteTimeout;

/// A connection that knows how it was opened, and how much of an answer it takes.
///
/// Each part of an answer has its limit elsewhere, but some can come without end
/// within theirs: interim answers, digits of a chunk's size. Reading those as
/// fast as they come would cost a processor until the deadline.
pub(crate) struct Connection {
    stream: Stream,
    opened: Opened,
    /// Bytes that came since something was sent.
    read: usize,
    /// Held as long as the connection is open; a connection without one carries one exchange.
    permit: Option<IdlePermit>,
}

/// More than the largest answer that is read takes: 64 KiB of head, and a body of 16 KiB in chunks of a byte.
const MOST_READ_BYTES: usize = 256 * 1024;

/// How a connection was opened; hyper hands it out with each answer.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) at: Instant,
    pub(crate) peer: SocketAddr,
    pub(crate) trace: Arc<Trace>,
}

enum Stream {
    Plain(WriteTimeout),
    Tls(Box<TlsStream<WriteTimeout>>),
}

impl Connection {
    pub(crate) fn plain(tcp: WriteTimeout, opened: Opened, permit: Option<IdlePermit>) -> Self {
        Self::new(Stream::Plain(tcp), opened, permit)
    }

    pub(crate) fn tls(session: TlsStream<WriteTimeout>, opened: Opened, permit: Option<IdlePermit>) -> Self {
        Self::new(Stream::Tls(Box::new(session)), opened, permit)
    }

    fn new(stream: Stream, opened: Opened, permit: Option<IdlePermit>) -> Self {
        Self { stream, opened, read: 0, permit }
    }

    /// What comes after something was sent is another answer.
    fn counts_anew_if(&mut self, sent: &Poll<io::Result<usize>>) {
        if matches!(sent, Poll::Ready(Ok(_))) {
            self.read = 0;
        }
    }
}

impl Opened {
    /// Opened now.
    pub(crate) fn now(peer: SocketAddr, trace: Arc<Trace>) -> Self {
        Self { at: Instant::now(), peer, trace }
    }
}

impl connect::Connection for Connection {
    fn connected(&self) -> Connected {
        let connected = Connected::new().extra(self.opened.clone());
        if self.permit.is_none() {
            // It still carries what it was opened for, and nothing after that.
            connected.poison();
        }
        connected
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read > MOST_READ_BYTES {
            return Poll::Ready(Err(io::Error::other("the answer does not end")));
        }
        let before = buf.filled().len();
        let polled = match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_read(cx, buf),
            Stream::Tls(tls) => Pin::new(tls).poll_read(cx, buf),
        };
        self.read += buf.filled().len() - before;
        polled
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let sent = match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_write(cx, buf),
            Stream::Tls(tls) => Pin::new(tls).poll_write(cx, buf),
        };
        self.counts_anew_if(&sent);
        sent
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_flush(cx),
            Stream::Tls(tls) => Pin::new(tls).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_shutdown(cx),
            Stream::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(tcp) => tcp.is_write_vectored(),
            Stream::Tls(tls) => tls.is_write_vectored(),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_write_vectored(cx, bufs),
            Stream::Tls(tls) => Pin::new(tls).poll_write_vectored(cx, bufs),
        };
        self.counts_anew_if(&sent);
        sent
    }
}
