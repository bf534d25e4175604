//! Healthy receivers, as many as wanted, on one port of as many addresses of this machine.

use std::collections::HashMap;
use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::Told;

/// Receivers that answer 200 at once and write down what came when.
#[derive(Clone, Debug)]
pub struct Healthy {
    port: u16,
    arrivals: Arc<Arrivals>,
}

#[derive(Debug, Default)]
struct Arrivals {
    /// When the notifications of an object arrived.
    of: Mutex<Told>,
    /// How many arrived, of all objects.
    count: AtomicUsize,
    more: Notify,
}

impl Healthy {
    /// Opens the port.
    ///
    /// # Panics
    /// When there is none.
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.expect("a port");
        let port = listener.local_addr().expect("a bound port").port();
        let arrivals = Arc::new(Arrivals::default());
        let noted = Arc::clone(&arrivals);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let noted = Arc::clone(&noted);
                // The server ends connections as it likes.
                tokio::spawn(async move { drop(serve(stream, &noted).await) });
            }
        });
        Self { port, arrivals }
    }

    /// The URL of a receiver: each has an address of its own, so no two share a connection.
    #[must_use]
    pub fn url(&self, number: u16) -> String {
        let [high, low] = number.to_be_bytes();
        format!("http://127.1.{high}.{low}:{}/hook", self.port)
    }

    /// Waits until these objects were told of, so many times for each time that one is among them; answers
    /// when, object by object.
    ///
    /// # Errors
    /// How many notifications are missing after `within`.
    ///
    /// # Panics
    /// When something else panicked before.
    pub async fn told(&self, objects: &[String], times: usize, within: Duration) -> Result<Told, usize> {
        let mut wanted: HashMap<&str, usize> = HashMap::new();
        for object in objects {
            *wanted.entry(object).or_default() += times;
        }
        let missing = || {
            let of = self.arrivals.of.lock().expect("sound");
            let told = |object: &str| of.get(object).map_or(0, Vec::len);
            wanted.iter().map(|(object, wanted)| wanted.saturating_sub(told(object))).sum::<usize>()
        };
        let all = async {
            loop {
                let more = self.arrivals.more.notified();
                // Looking at each object takes long: only when all may be there.
                let enough = self.arrivals.count.load(Ordering::Acquire) >= objects.len() * times;
                if enough && missing() == 0 {
                    return;
                }
                more.await;
            }
        };
        if tokio::time::timeout(within, all).await.is_err() {
            return Err(missing());
        }
        let mut of = self.arrivals.of.lock().expect("sound");
        self.arrivals.count.store(0, Ordering::Release);
        Ok(std::mem::take(&mut *of))
    }
}

impl Arrivals {
    fn note(&self, object: String) {
        let mut of = self.of.lock().expect("sound");
        of.entry(object).or_default().push(Instant::now());
        self.count.fetch_add(1, Ordering::AcqRel);
        drop(of);
        self.more.notify_one();
    }
}

async fn serve(mut stream: TcpStream, arrivals: &Arrivals) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(2048);
    loop {
        let Some((whole, object)) = request(&buffer) else {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
            continue;
        };
        arrivals.note(object);
        buffer.drain(..whole);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await?;
    }
}

/// The length of a whole request and the object that it tells of.
fn request(bytes: &[u8]) -> Option<(usize, String)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, rest) = text.split_once("\r\n\r\n")?;
    let length: usize = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())?;
    let body = rest.get(..length)?;
    let object = body.split("\"id\":\"").skip(1).find(|part| !part.starts_with("evt_"))?.split('"').next()?;
    Some((head.len() + 4 + length, object.to_owned()))
}
