//! The sender itself: requests, limits and what went wrong.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::capture_connection;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Answer, HttpSender, Outgoing, Refusal, SendError};
use tokio::time::timeout;
use url::{Position, Url};

use crate::config::{ConfigError, EgressConfig};
use crate::connector::{ConnectError, Connector};
use crate::guard::Guard;
use crate::link::Opened;
use crate::resolver::{Resolver, SystemResolver};
use crate::target::Target;

/// Sends HTTP requests to public addresses, and to nothing else.
///
/// Clones share their connections.
#[derive(Clone)]
pub struct HyperSender {
    guard: Guard,
    client: Client<Connector, Full<Bytes>>,
}

impl HyperSender {
    /// A sender that asks the operating system for addresses.
    ///
    /// # Errors
    /// When an extra root certificate cannot be read.
    pub fn new(config: EgressConfig) -> Result<Self, ConfigError> {
        Self::with_resolver(config, Arc::new(SystemResolver::default()))
    }

    /// A sender with a resolver of your own.
    ///
    /// # Errors
    /// When an extra root certificate cannot be read.
    pub fn with_resolver(config: EgressConfig, resolver: Arc<dyn Resolver>) -> Result<Self, ConfigError> {
        let (policy, tls) = config.into_parts()?;
        let guard = Guard::new(policy, resolver);
        let connector = Connector::new(guard.clone(), Arc::new(tls));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(MOST_IDLE)
            .pool_max_idle_per_host(MOST_IDLE_PER_HOST)
            .http1_max_headers(MOST_HEADERS)
            .http1_max_buf_size(MOST_HEADER_BYTES)
            .build(connector);
        Ok(Self { guard, client })
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Answer, SendError> {
        let mut request = request;
        let connection = capture_connection(&mut request);
        let response = self.client.request(request).await.map_err(|error| classify(&error))?;
        let opened = response.extensions().get::<Opened>().copied();
        if opened.is_some_and(|Opened(at)| at.elapsed() > MOST_AGE)
            && let Some(connected) = connection.connection_metadata().as_ref()
        {
            connected.poison();
        }
        let status = response.status().as_u16();
        let body = first_bytes(response.into_body()).await.map_err(|error| classify(&error))?;
        Ok(Answer { status, body })
    }
}

#[async_trait]
impl HttpSender for HyperSender {
    async fn check(&self, endpoint: &Endpoint) -> Result<(), Refusal> {
        let target = Target::of(endpoint.url())?;
        match timeout(MOST_FOR_CHECK, self.guard.admit(&target)).await {
            Ok(admitted) => admitted.map(drop),
            Err(_) => Err(Refusal::Unresolvable(endpoint.url().host_str().unwrap_or_default().to_owned())),
        }
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, SendError> {
        let deadline = outgoing.timeout;
        let request = request(outgoing)?;
        timeout(deadline, self.exchange(request)).await.unwrap_or(Err(SendError::Timeout))
    }
}

impl fmt::Debug for HyperSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HyperSender").finish_non_exhaustive()
    }
}

/// How long an unused connection stays open. Receivers commonly close theirs
/// after 30 to 75 seconds; going first avoids writing into a closing one.
const MOST_IDLE: Duration = Duration::from_secs(15);
/// After this age a connection is not used again, so that a name that moved is
/// looked up (and judged) again even under constant traffic.
const MOST_AGE: Duration = Duration::from_mins(1);
const MOST_IDLE_PER_HOST: usize = 4;
const MOST_HEADERS: usize = 64;
const MOST_HEADER_BYTES: usize = 64 * 1024;
/// How much of an answer's body is read.
const MOST_BODY_BYTES: usize = 16 * 1024;
const MOST_FOR_CHECK: Duration = Duration::from_secs(5);

/// Headers that frame the message or steer the connection: the sender's own business.
const OWN_HEADERS: [HeaderName; 5] = [HOST, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];

fn request(outgoing: Outgoing) -> Result<Request<Full<Bytes>>, SendError> {
    let url = outgoing.endpoint.url();
    let uri: Uri = url
        .as_str()
        .parse()
        .map_err(|error| SendError::Protocol(format!("the URL cannot be written as a request: {error}")))?;
    let headers = headers(url, outgoing.headers)?;
    let mut request = Request::new(Full::new(outgoing.body));
    *request.method_mut() = http::Method::POST;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    Ok(request)
}

/// `Host` first (RFC 9110, 7.2), then the caller's headers in their order.
fn headers(url: &Url, given: Vec<(&'static str, String)>) -> Result<HeaderMap, SendError> {
    let unsendable = |name: &str| SendError::Protocol(format!("the header `{name}` cannot be sent"));
    let mut headers = HeaderMap::with_capacity(given.len() + 3);
    // The URL's own text: brackets of an IPv6 address stay, a default port is absent.
    let host = &url[Position::BeforeHost..Position::AfterPort];
    headers.insert(HOST, HeaderValue::from_str(host).map_err(|_| unsendable("host"))?);
    for (name, value) in given {
        let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable(name))?;
        if OWN_HEADERS.contains(&parsed) {
            return Err(unsendable(name));
        }
        headers.append(parsed, HeaderValue::try_from(value).map_err(|_| unsendable(name))?);
    }
    // Nothing is ever decompressed here: a small answer must stay small.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    Ok(headers)
}

/// The body up to the limit. Dropping the rest closes the connection.
async fn first_bytes(mut body: Incoming) -> Result<Vec<u8>, hyper::Error> {
    let mut bytes = Vec::new();
    while bytes.len() < MOST_BODY_BYTES {
        let Some(frame) = body.frame().await.transpose()? else { break };
        if let Ok(data) = frame.into_data() {
            let wanted = data.len().min(MOST_BODY_BYTES - bytes.len());
            bytes.extend_from_slice(&data.slice(..wanted));
        }
    }
    Ok(bytes)
}

/// Finds what went wrong below hyper's wrapping.
fn classify(error: &(dyn StdError + 'static)) -> SendError {
    let mut innermost = error;
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(error) = cause.downcast_ref::<ConnectError>() {
            return match error {
                ConnectError::Dns => SendError::Dns,
                ConnectError::Refused(refusal) => SendError::Refused(refusal.clone()),
                ConnectError::Connect(error) => SendError::Connect(error.to_string()),
                ConnectError::Tls(error) => SendError::Tls(error.to_string()),
                ConnectError::Timeout => SendError::Timeout,
            };
        }
        // TLS 1.3 reports some failures, a missing client certificate among
        // them, only with the first bytes that are read.
        if let Some(error) = cause.downcast_ref::<io::Error>()
            && let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>())
        {
            return SendError::Tls(tls.to_string());
        }
        innermost = cause;
        next = cause.source();
    }
    SendError::Protocol(innermost.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_path_and_query_of_an_endpoint_can_be_written_as_a_request(tail in "[ -~]{0,20}|\\PC{0,20}") {
            let Ok(endpoint) = Endpoint::parse(&format!("https://hooks.example.com/{tail}")) else { return Ok(()) };
            let text = endpoint.as_str().to_owned();
            let request = request(Outgoing {
                endpoint,
                headers: Vec::new(),
                body: Bytes::new(),
                timeout: Duration::from_secs(1),
            });
            prop_assert_eq!(request.map(|request| request.uri().to_string()), Ok(text));
        }
    }
}
