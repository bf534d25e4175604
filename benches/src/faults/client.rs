//! A client with one connection, which it opens again when it breaks.

use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::load::length;

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_mins(2);

/// Stands between the parts of a form, and in no file that is sent.
const EDGE: &str = "svc-benches-edge-4f7a91";

/// A client of the API.
pub struct Client {
    token: String,
    stream: Option<(SocketAddr, TcpStream)>,
    buffer: Vec<u8>,
}

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Whether it says when to try again.
    pub tells_when: bool,
    /// Its status line and headers, in lower case.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
    /// The first cookie that it sets, as it is sent back.
    pub cookie: Option<String>,
}

impl Answer {
    /// A member of the JSON body, as text; empty when it is not there.
    #[must_use]
    pub fn text(&self, member: &str) -> String {
        self.json().get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// The JSON body; null when it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Client {
    /// A client that holds a token.
    #[must_use]
    pub fn new(token: &str) -> Self {
        Self { token: token.to_owned(), stream: None, buffer: Vec::new() }
    }

    /// The token that it holds.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Reads something; once more where a kept connection turns out to be closed, as servers close those without requests.
    ///
    /// # Errors
    /// When the connection breaks.
    pub async fn get(&mut self, to: SocketAddr, path: &str) -> io::Result<Answer> {
        let was_kept = self.stream.is_some();
        match self.send(to, "GET", path, "").await {
            Err(_) if was_kept => self.send(to, "GET", path, "").await,
            other => other,
        }
    }

    /// Changes something.
    ///
    /// # Errors
    /// When the connection breaks: whether it took effect is not known.
    pub async fn patch(&mut self, to: SocketAddr, path: &str, body: &str) -> io::Result<Answer> {
        self.send(to, "PATCH", path, body).await
    }

    /// Creates something, once for each `key`.
    ///
    /// # Errors
    /// When the connection breaks: whether it took effect is not known.
    pub async fn post(
        &mut self,
        to: SocketAddr,
        path: &str,
        key: Option<&str>,
        body: &str,
    ) -> io::Result<Answer> {
        let request = self.request("POST", path, key, body);
        self.exchange(to, request.as_bytes()).await
    }

    /// Sends a file in the part `file` (RFC 7578).
    ///
    /// # Errors
    /// When the connection breaks: whether it took effect is not known.
    pub async fn upload(
        &mut self,
        to: SocketAddr,
        path: &str,
        name: &str,
        content: &[u8],
    ) -> io::Result<Answer> {
        let head =
            format!("--{EDGE}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        let end = format!("\r\n--{EDGE}--\r\n");
        let length = head.len() + content.len() + end.len();
        let start = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: multipart/form-data; boundary={EDGE}\r\nContent-Length: {length}\r\n\r\n",
            self.token
        );
        let request = [start.as_bytes(), head.as_bytes(), content, end.as_bytes()].concat();
        self.exchange(to, &request).await
    }

    /// Reads a page as a browser, or sends a form of it: with this cookie, and without the token.
    ///
    /// # Errors
    /// When the connection breaks: whether it took effect is not known.
    pub async fn browse(
        &mut self,
        to: SocketAddr,
        path: &str,
        cookie: &str,
        form: Option<&str>,
    ) -> io::Result<Answer> {
        let (method, body) = form.map_or(("GET", ""), |form| ("POST", form));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\
             Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.exchange(to, request.as_bytes()).await
    }

    /// Sends a request of any method.
    ///
    /// # Errors
    /// When the connection breaks: whether it took effect is not known.
    pub async fn send(&mut self, to: SocketAddr, method: &str, path: &str, body: &str) -> io::Result<Answer> {
        let request = self.request(method, path, None, body);
        self.exchange(to, request.as_bytes()).await
    }

    /// A request as it is sent.
    #[must_use]
    pub fn request(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> String {
        let token = &self.token;
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
             Accept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        if let Some(key) = key {
            write!(request, "Idempotency-Key: {key}\r\n").expect("a String takes everything");
        }
        request + "\r\n" + body
    }

    async fn exchange(&mut self, to: SocketAddr, request: &[u8]) -> io::Result<Answer> {
        let answer = timeout(PATIENCE, self.try_exchange(to, request)).await;
        let answer = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        if answer.is_err() {
            self.stream = None;
        }
        answer
    }

    async fn try_exchange(&mut self, to: SocketAddr, request: &[u8]) -> io::Result<Answer> {
        let stream = match self.stream.take() {
            Some((at, stream)) if at == to => stream,
            Some(_) | None => TcpStream::connect(to).await?,
        };
        let (_, stream) = self.stream.insert((to, stream));
        stream.set_nodelay(true)?;
        stream.write_all(request).await?;
        self.buffer.clear();
        let whole = loop {
            if let Some(whole) = length(&self.buffer).filter(|whole| self.buffer.len() >= *whole) {
                break whole;
            }
            if stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        };
        read(self.buffer.get(..whole).unwrap_or_default())
    }
}

fn read(answer: &[u8]) -> io::Result<Answer> {
    let broken = || io::Error::from(io::ErrorKind::InvalidData);
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").ok_or_else(broken)?;
    let head = String::from_utf8_lossy(answer.get(..end).unwrap_or_default());
    let cookie = head.lines().filter_map(|line| line.split_once(": ")).find_map(|(name, value)| {
        let is_cookie = name.eq_ignore_ascii_case("set-cookie");
        value.split(';').next().filter(|_| is_cookie).map(str::to_owned)
    });
    let head = head.to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
    let tells_when = head.lines().any(|line| line.starts_with("retry-after:"));
    let body = answer.get(end + 4..).unwrap_or_default().to_owned();
    Ok(Answer { status, tells_when, head, body, cookie })
}
