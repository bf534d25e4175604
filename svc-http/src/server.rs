//! The loop that accepts connections and serves them with hyper.
//!
//! hyper trusts its embedder with much, so the limits that keep a hostile
//! client from holding the server are set here, all in one place: [`Limits`].

mod framing;
mod guard;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::header::{CONNECTION, CONTENT_TYPE};
use http::{HeaderValue, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tower::ServiceExt;

use self::guard::Guarded;

/// The other end of a connection, as an extension of each of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// How the bytes of a connection travel, as an extension of each of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// As they are: everybody on the way can read them.
    Plain,
    /// In TLS that this process ends.
    Tls,
}

/// What one client, and all clients together, may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Connections at a time; further ones wait in the listener's backlog.
    pub connections: usize,
    /// For a TLS handshake, and for the head of each request.
    pub header_read_timeout: Duration,
    /// Header fields of a request (HTTP/1).
    pub headers: usize,
    /// Bytes of a request's head.
    pub header_bytes: usize,
    /// Requests at a time on one HTTP/2 connection.
    pub streams: u32,
    /// For requests in flight once the shutdown began.
    pub grace: Duration,
}

impl Limits {
    /// With so many connections at a time.
    #[must_use]
    pub fn connections(self, connections: usize) -> Self {
        Self { connections, ..self }
    }

    /// With so much time for a TLS handshake, and for the head of each request.
    #[must_use]
    pub fn header_read_timeout(self, header_read_timeout: Duration) -> Self {
        Self { header_read_timeout, ..self }
    }

    /// With so much time for requests in flight once the shutdown began.
    #[must_use]
    pub fn grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            header_read_timeout: Duration::from_secs(10),
            headers: 64,
            header_bytes: 64 * 1024,
            streams: 100,
            grace: Duration::from_secs(30),
        }
    }
}

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every request in flight was answered.
    Drained,
    /// Connections were cut when the time for it was over.
    Cut,
}

/// Serves plain HTTP/1.1 and HTTP/2 until `shutdown` is over, then finishes what is in flight.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) -> Ended {
    let as_it_is = |stream| std::future::ready(Ok(stream));
    serve_over(Transport::Plain, listener, router, limits, shutdown, as_it_is).await
}

/// As [`serve`], over the TLS that `handshake` makes of a connection.
pub async fn serve_tls<S, H>(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    handshake: impl Fn(TcpStream) -> H + Clone + Send + 'static,
) -> Ended
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    H: Future<Output = io::Result<S>> + Send,
{
    serve_over(Transport::Tls, listener, router, limits, shutdown, handshake).await
}

async fn serve_over<S, H>(
    transport: Transport,
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    handshake: impl Fn(TcpStream) -> H + Clone + Send + 'static,
) -> Ended
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    H: Future<Output = io::Result<S>> + Send,
{
    let builder = builder(&limits);
    let slots = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    // Dropping the set cuts what is left of the connections.
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = async {
            let slot = slots.clone().acquire_owned().await.expect("the semaphore is never closed");
            (accept(&listener).await, slot)
        };
        let ((stream, peer), slot) = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accepted => accepted,
        };
        while connections.try_join_next().is_some() {}
        let (builder, router, handshake) = (builder.clone(), router.clone(), handshake.clone());
        let watcher = graceful.watcher();
        let hands = async move { handshake(stream).await };
        connections.spawn(async move {
            if let Ok(Ok(stream)) = tokio::time::timeout(limits.header_read_timeout, hands).await {
                let origin = (Peer(peer), transport);
                converse(stream, origin, router, &builder, watcher, &limits).await;
            }
            drop(slot);
        });
    }
    drop(listener);
    match tokio::time::timeout(limits.grace, graceful.shutdown()).await {
        Ok(()) => Ended::Drained,
        Err(_) => Ended::Cut,
    }
}

fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        // Without a timer hyper never enforces its timeouts.
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_read_timeout)
        .max_headers(limits.headers)
        .max_buf_size(limits.header_bytes.max(8192));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(20));
    builder
}

/// The next connection. A lack of file descriptors passes; the loop never ends over it.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    let mut wait = Duration::from_millis(10);
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted");
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(Duration::from_secs(1));
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection to its end.
async fn converse<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    (peer, transport): (Peer, Transport),
    router: Router,
    builder: &Builder<TokioExecutor>,
    watcher: Watcher,
    limits: &Limits,
) {
    let (stream, framing) = Guarded::new(stream, limits.header_read_timeout, limits.header_bytes);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let (router, ambiguous) = (router.clone(), framing.is_ambiguous());
        async move {
            if ambiguous {
                return Ok(ambiguous_length());
            }
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(transport);
            router.oneshot(request).await
        }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Both `Transfer-Encoding` and `Content-Length`: a request smuggler's trick (RFC 9112, section 6.1).
fn ambiguous_length() -> Response<Body> {
    const BODY: &str = r#"{"type":"about:blank","title":"Bad Request","status":400,"code":"malformed_request","detail":"the request has both Transfer-Encoding and Content-Length"}"#;
    let mut response = Response::new(Body::from(BODY));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
