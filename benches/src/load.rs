//! A load generator for one request, over connections that stay open.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The same request again and again.
#[derive(Clone, Debug)]
pub struct Load {
    /// Where to.
    pub to: SocketAddr,
    /// The whole request, as it is sent.
    pub request: Arc<[u8]>,
    /// So many at a time, each over a connection of its own.
    pub connections: usize,
    /// For so long.
    pub span: Duration,
}

/// Sends a load; answers how many requests were answered in a second.
///
/// # Panics
/// When an answer is not 200, or a connection breaks.
pub async fn requests_per_second(load: &Load) -> f64 {
    let over = Arc::new(AtomicBool::new(false));
    let mut streams = Vec::new();
    for _ in 0..load.connections {
        streams.push(Stream::open(load.to).await);
    }
    let start = Instant::now();
    let tasks: Vec<_> = streams
        .into_iter()
        .map(|mut stream| {
            let (over, request) = (Arc::clone(&over), Arc::clone(&load.request));
            tokio::spawn(async move {
                let mut answered = 0_u32;
                while !over.load(Ordering::Relaxed) {
                    stream.exchange(&request).await;
                    answered += 1;
                }
                answered
            })
        })
        .collect();
    tokio::time::sleep(load.span).await;
    over.store(true, Ordering::Relaxed);
    let mut answered = 0.0;
    for task in tasks {
        answered += f64::from(task.await.expect("no client failed"));
    }
    answered / start.elapsed().as_secs_f64()
}

/// A connection that stays open.
pub(crate) struct Stream {
    socket: TcpStream,
    buffer: Vec<u8>,
}

impl Stream {
    pub(crate) async fn open(to: SocketAddr) -> Self {
        let socket = TcpStream::connect(to).await.expect("a connection");
        socket.set_nodelay(true).expect("a socket");
        Self { socket, buffer: Vec::with_capacity(8192) }
    }

    /// Sends a request, and reads its answer to the end, which must be 200.
    async fn exchange(&mut self, request: &[u8]) {
        let answer = self.ask(request).await;
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(answer));
    }

    /// Sends a request and reads its answer to the end.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> &[u8] {
        self.socket.write_all(request).await.expect("sent");
        self.buffer.clear();
        let whole = loop {
            if let Some(whole) = length(&self.buffer) {
                break whole;
            }
            self.read().await;
        };
        while self.buffer.len() < whole {
            self.read().await;
        }
        &self.buffer
    }

    async fn read(&mut self) {
        let read = self.socket.read_buf(&mut self.buffer).await.expect("read");
        assert!(read > 0, "the server closed the connection");
    }
}

/// The length of an answer whose head is complete.
pub(crate) fn length(answer: &[u8]) -> Option<usize> {
    let head = answer.windows(4).position(|part| part == b"\r\n\r\n")? + 4;
    if answer.starts_with(b"HTTP/1.1 204") {
        return Some(head);
    }
    let name = b"content-length: ";
    let at = answer.windows(name.len()).position(|part| part.eq_ignore_ascii_case(name))? + name.len();
    let digits = answer.iter().skip(at).take_while(|byte| byte.is_ascii_digit());
    Some(head + digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0')))
}
