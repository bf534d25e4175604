//! Plays the steps of a behaviour on one connection.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy, sink};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::behaviour::Step;
use super::connections::Open;

/// How much is written at a time where it is a flood.
const PIECE: usize = 4096;

/// A connection, with or without TLS.
pub(super) trait Socket: AsyncRead + AsyncWrite + Unpin + Send {
    fn tcp(&self) -> &TcpStream;
}

impl Socket for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Socket for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// What the steps are played with.
pub(super) struct Scene<'a> {
    pub(super) steps: &'a [Step],
    pub(super) tick: Duration,
    /// What stands for `{elsewhere}`.
    pub(super) elsewhere: &'a str,
    /// What stands for `{here}`.
    pub(super) here: &'a str,
    pub(super) written: &'a AtomicU64,
}

impl Scene<'_> {
    /// Plays to the end.
    ///
    /// # Errors
    /// When the other side has left, which is its right.
    pub(super) async fn play(&self, socket: impl Socket, open: Open) -> io::Result<()> {
        let mut open = Some(open);
        // Declared after `open` and so closed before it: what counts as left is closed.
        let mut socket = socket;
        let mut at = 0;
        while let Some(step) = self.steps.get(at) {
            at += 1;
            match *step {
                Step::Request => request(&mut socket).await?,
                Step::Head => {
                    head(&mut socket).await?;
                }
                Step::Something => {
                    socket.read_u8().await?;
                }
                Step::Say(text) => {
                    let text = text.replace("{elsewhere}", self.elsewhere).replace("{here}", self.here);
                    self.write(&mut socket, text.as_bytes()).await?;
                }
                Step::Bytes(bytes) => self.write(&mut socket, bytes).await?,
                Step::Times(times, bytes) => self.write(&mut socket, &bytes.repeat(times)).await?,
                Step::Flood(bytes) => {
                    let piece = bytes.repeat(PIECE.div_ceil(bytes.len()));
                    loop {
                        self.write(&mut socket, &piece).await?;
                    }
                }
                Step::Drip(bytes) => loop {
                    self.write(&mut socket, bytes).await?;
                    tokio::time::sleep(self.tick).await;
                },
                Step::Sip => {
                    // A receiver that does not read what waits cannot see that the other side has left.
                    drop(open.take());
                    loop {
                        socket.read_u8().await?;
                        tokio::time::sleep(self.tick).await;
                    }
                }
                Step::Hush => return until_left(&mut socket).await,
                Step::Deaf => {
                    drop(open.take());
                    return std::future::pending().await;
                }
                Step::Cut => return Ok(()),
                Step::Reset => return socket.tcp().set_zero_linger(),
                Step::Again => at = 0,
            }
        }
        // Closing with unread bytes would be a reset, which destroys what is on its way.
        socket.shutdown().await?;
        until_left(&mut socket).await
    }

    async fn write(&self, socket: &mut impl Socket, bytes: &[u8]) -> io::Result<()> {
        socket.write_all(bytes).await?;
        socket.flush().await?;
        self.written.fetch_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX), Ordering::Relaxed);
        Ok(())
    }
}

async fn until_left(socket: &mut impl Socket) -> io::Result<()> {
    copy(socket, &mut sink()).await.map(drop)
}

/// Reads a head; answers how long the body is.
async fn head(socket: &mut impl Socket) -> io::Result<u64> {
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        text.push(socket.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&text).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    Ok(length.unwrap_or(0))
}

async fn request(socket: &mut impl Socket) -> io::Result<()> {
    let length = head(socket).await?;
    copy(&mut socket.take(length), &mut sink()).await.map(drop)
}
