//! Receivers and name servers whose behaviour a test decides.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use svc_egress::{EgressConfig, HyperSender, Resolver};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::names::Names;
use svc_webhooks::ports::{Answer, HttpSender, Outgoing, SendError};
use svc_webhooks::subscription::CustomHeaders;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A deadline that a healthy exchange on one machine never meets, even if that stands still for a while.
pub(crate) const AMPLE: Duration = Duration::from_mins(2);

/// A sender to which this machine's loopback addresses are exempt.
pub(crate) fn exempt_sender() -> HyperSender {
    HyperSender::new(exempt_loopback()).unwrap()
}

/// For tests to which the details of an exchange are nothing.
pub(crate) trait Outcome {
    async fn outcome(&self, request: Outgoing) -> Result<Answer, SendError>;
}

impl Outcome for HyperSender {
    async fn outcome(&self, request: Outgoing) -> Result<Answer, SendError> {
        self.send(request).await.result.map_err(|failure| failure.error)
    }
}

pub(crate) fn exempt_loopback() -> EgressConfig {
    EgressConfig::default().exempt(vec!["127.0.0.0/8".parse().unwrap()])
}

pub(crate) fn endpoint(url: &str) -> Endpoint {
    Endpoint::parse(url).unwrap()
}

pub(crate) fn post(url: &str) -> Outgoing {
    Outgoing {
        custom: CustomHeaders::default(),
        endpoint: endpoint(url),
        headers: vec![(Names::STANDARD.event, "webhook.test".to_owned())],
        body: b"{}"[..].into(),
        timeout: AMPLE,
    }
}

pub(crate) fn post_within(url: &str, millis: u64) -> Outgoing {
    Outgoing { timeout: Duration::from_millis(millis), ..post(url) }
}

/// Answers from a table; the last answer of a name is repeated for ever.
#[derive(Default)]
pub(crate) struct FakeDns(Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>);

impl FakeDns {
    pub(crate) fn with(name: &str, answers: &[&[&str]]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        Arc::new(Self(Mutex::new(HashMap::from([(name.to_owned(), answers)]))))
    }
}

#[async_trait]
impl Resolver for FakeDns {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.0.lock().unwrap();
        let answers = names.get_mut(name).ok_or_else(|| io::Error::other("no such name"))?;
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Ok(answer.unwrap_or_default())
    }
}

/// A listener that must not be reached.
pub(crate) struct Canary(TcpListener);

impl Canary {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    pub(crate) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// A connection would lie in the listener's queue by now: the kernel
    /// completes it before the connecting side learns of it.
    pub(crate) fn assert_unreached(&self) {
        let error = self.0.accept().expect_err("the canary was reached");
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    }
}

/// A receiver that treats each connection as the test says.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    accepted: Arc<AtomicUsize>,
}

impl Receiver {
    pub(crate) async fn start<B, F>(behaviour: B) -> Self
    where
        B: Fn(TcpStream) -> F + Send + 'static,
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        Self::start_on("127.0.0.1", behaviour).await
    }

    pub(crate) async fn start_on<B, F>(host: &str, behaviour: B) -> Self
    where
        B: Fn(TcpStream) -> F + Send + 'static,
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        let listener = tokio::net::TcpListener::bind((host, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepted = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&accepted);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                // A broken pipe is the sender's right; tests look at the sender.
                tokio::spawn(behaviour(stream));
            }
        });
        Self { address, accepted }
    }

    /// A receiver that answers every request with these bytes.
    pub(crate) async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Arc::new(answer.into());
        Self::start(move |mut stream| {
            let answer = Arc::clone(&answer);
            async move {
                loop {
                    read_request(&mut stream).await?;
                    stream.write_all(&answer).await?;
                }
            }
        })
        .await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook?a=1", self.address)
    }

    pub(crate) fn connections(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

/// Reads one request with a body of known length; answers its text.
pub(crate) async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        text.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(text).map_err(io::Error::other)?;
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(head + &String::from_utf8_lossy(&body))
}
