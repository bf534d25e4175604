//! The loop that accepts connections and serves them with hyper.
//!
//! hyper trusts its embedder with much, so the limits that keep a hostile
//! client from holding the server are set here, all in one place: [`Limits`].

mod discard;
mod door;
mod framing;
mod guard;
mod limits;
mod pulse;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use http::header::{CONNECTION, CONTENT_TYPE, HOST};
use http::{HeaderValue, Request, Response, StatusCode, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use self::discard::Rest;
use self::door::{Door, Pass};
use self::guard::{Guarded, Verdict};
pub use self::limits::Limits;
use self::pulse::Pulse;

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
    let (builder, limits) = (builder(&limits), Arc::new(limits));
    let door = Door::new(&limits);
    let closing = CancellationToken::new();
    // Dropping the set cuts what is left of the connections.
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = async {
            let accepted = accept(&listener).await;
            door.opens().await;
            accepted
        };
        let (stream, peer) = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accepted => accepted,
        };
        while connections.try_join_next().is_some() {}
        let Some(pass) = door.enter(peer.ip()) else { continue };
        let (builder, limits, handshake) = (builder.clone(), Arc::clone(&limits), handshake.clone());
        let service = Service { router: router.clone(), peer: Peer(peer), transport };
        let closing = closing.clone();
        let hands = async move { handshake(stream).await };
        connections.spawn(async move {
            if let Ok(Ok(stream)) = tokio::time::timeout(limits.header_read_timeout, hands).await {
                converse(stream, service, &builder, &pass, &closing, &limits).await;
            }
            drop(pass);
        });
    }
    drop(listener);
    closing.cancel();
    let all_end = async { while connections.join_next().await.is_some() {} };
    match tokio::time::timeout(limits.grace, all_end).await {
        Ok(()) => Ended::Drained,
        Err(_) => Ended::Cut,
    }
}

/// Bytes of one request's body that wait to be read on HTTP/2.
const STREAM_WINDOW: u32 = 64 * 1024;
/// Those of all requests of a connection.
const CONNECTION_WINDOW: u32 = 256 * 1024;
/// Bytes of one answer that wait to be sent on HTTP/2.
const SEND_BUFFER: usize = 64 * 1024;
/// A connection that takes no further request ends within so long, beside what is under way on it.
const FAREWELL: Duration = Duration::from_secs(2);

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
        // What a client may send before a handler reads it.
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        // What a handler may write before the client takes it.
        .max_send_buf_size(SEND_BUFFER)
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

/// What answers the requests of a connection.
#[derive(Clone)]
struct Service {
    router: Router,
    peer: Peer,
    transport: Transport,
}

impl Service {
    async fn answer(self, request: Request<Incoming>, verdict: &Verdict) -> Response<Body> {
        if let Some(refusal) = refusal(&request, verdict) {
            return refusal;
        }
        let (mut request, rest) = Rest::of(request);
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(self.transport);
        let response = self.router.oneshot(request).await.unwrap_or_else(|never| match never {});
        rest.discard().await;
        response
    }
}

/// Serves one connection to its end.
async fn converse<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    service: Service,
    builder: &Builder<TokioExecutor>,
    pass: &Pass,
    closing: &CancellationToken,
    limits: &Limits,
) {
    let (stream, verdict) = Guarded::new(stream, limits.header_read_timeout, limits.header_bytes);
    let pulse: &Arc<Pulse> = &pass.pulse;
    let answer = service_fn(|request| {
        let (service, verdict, under_way) = (service.clone(), verdict.clone(), pulse.request());
        async move {
            let response = service.answer(request, &verdict).await;
            Ok::<_, std::convert::Infallible>(response.map(|body| under_way.answered(body)))
        }
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), answer));
    let (mut closing, mut leave) = (pin!(closing.cancelled()), pin!(pass.leave.cancelled()));
    let old = Instant::now() + limits.age;
    let mut look = pin!(tokio::time::sleep_until(pulse.deadline(limits).min(old).into()));
    let mut is_ending = false;
    loop {
        let cut_at = tokio::select! {
            biased;
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                }
                return;
            }
            // Until the grace of all connections is over.
            () = &mut closing, if !is_ending => None,
            () = &mut leave, if !is_ending => Some(FAREWELL),
            () = &mut look => {
                let now = Instant::now();
                let is_idle = pulse.idle_since().is_some_and(|since| now >= since + limits.idle);
                if pulse.is_unread(limits) || (is_ending && pulse.idle_since().is_some()) {
                    return;
                }
                if !is_idle && now < old || is_ending {
                    look.as_mut().reset(pulse.deadline(limits).min(now + limits.idle).into());
                    continue;
                }
                Some(FAREWELL)
            }
        };
        is_ending = true;
        connection.as_mut().graceful_shutdown();
        if let Some(farewell) = cut_at {
            look.as_mut().reset((Instant::now() + farewell).into());
        }
    }
}

/// The answer to a request that no handler may see: its head can be read in two ways.
fn refusal(request: &Request<Incoming>, verdict: &Verdict) -> Option<Response<Body>> {
    if verdict.is_ambiguous() {
        // A request smuggler's trick (RFC 9112, section 6.1).
        return Some(malformed("the request has both Transfer-Encoding and Content-Length"));
    }
    let hosts = request.headers().get_all(HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        // RFC 9112, section 3.2.
        return Some(malformed("a request of HTTP/1.1 has one Host header"));
    }
    None
}

fn malformed(detail: &str) -> Response<Body> {
    let body = format!(
        r#"{{"type":"about:blank","title":"Bad Request","status":400,"code":"malformed_request","detail":"{detail}"}}"#
    );
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
