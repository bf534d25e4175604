//! The sender itself: requests, limits and what went wrong.

mod fault;
mod partial_response;
mod request;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{Extensions, HeaderMap, Request};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Exchange, Failure, HttpSender, Outgoing, Refusal, SendError, Timings};
use tokio::time::{Instant, timeout};
use url::Url;

use self::fault::classify;
use self::partial_response::PartialResponse;
use crate::config::{ConfigError, EgressConfig};
use crate::connection::Opened;
use crate::connector::Connector;
use crate::guard::Guard;
use crate::idle_limit::IdleLimit;
use crate::resolver::{Resolver, SystemResolver};
use crate::target::Target;
use crate::trace::{Trace, watched};

/// Sends HTTP requests to public addresses, and to nothing else.
///
/// Clones share their connections.
#[derive(Clone)]
pub struct HyperSender {
    /// What URLs of new subscriptions are checked with: their names are strangers' and take no slot of a delivery.
    checks: Guard,
    client: Client<Connector, Full<Bytes>>,
}

impl HyperSender {
    /// A sender that asks the operating system for addresses.
    ///
    /// # Errors
    /// When an extra root certificate cannot be read.
    pub fn new(config: EgressConfig) -> Result<Self, ConfigError> {
        let checks: Arc<dyn Resolver> = Arc::new(SystemResolver::with_slots(CHECKS_AT_ONCE));
        Self::with_resolvers(config, Arc::new(SystemResolver::default()), checks)
    }

    /// A sender with a resolver of your own.
    ///
    /// # Errors
    /// When an extra root certificate cannot be read.
    pub fn with_resolver(config: EgressConfig, resolver: Arc<dyn Resolver>) -> Result<Self, ConfigError> {
        let checks = Arc::clone(&resolver);
        Self::with_resolvers(config, resolver, checks)
    }

    fn with_resolvers(
        config: EgressConfig,
        resolver: Arc<dyn Resolver>,
        checks: Arc<dyn Resolver>,
    ) -> Result<Self, ConfigError> {
        let idle_limit = IdleLimit::new(config.most_kept);
        let most_idle_per_host = config.most_kept.div_ceil(2);
        let (policy, tls) = config.into_parts()?;
        let guard = Guard::new(policy, resolver);
        let checks = guard.resolving_by(checks);
        let connector = Connector::new(guard, Arc::new(tls), idle_limit);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(MOST_IDLE)
            .pool_max_idle_per_host(most_idle_per_host)
            .http1_max_headers(MOST_HEADERS)
            .http1_max_buf_size(MOST_HEADER_BYTES)
            .build(connector);
        Ok(Self { checks, client })
    }

    /// Reads a document by GET: its first 16 KiB, as its server has it at this address; a redirect is an answer like any
    /// other, and is not followed. `accept` is the media type that is asked for; `timeout` is for everything from name
    /// resolution to the last byte.
    pub async fn fetch(&self, url: &Url, accept: &'static str, timeout: Duration) -> Exchange {
        match request::get(url, accept) {
            Ok(request) => self.perform(request, timeout).await,
            Err(error) => Exchange::ended(Err(error)),
        }
    }

    /// Sends a request by this deadline, and keeps of its answer what came until then.
    async fn perform(&self, mut request: Request<Full<Bytes>>, deadline: Duration) -> Exchange {
        let begun = Instant::now();
        let carried = capture_connection(&mut request);
        let mut response = PartialResponse::default();
        let (ended, opening) =
            watched(timeout(deadline, self.exchange(request, &carried, &mut response))).await;
        let ended = ended.unwrap_or(Err(SendError::Timeout));

        let opened = response.over().cloned().or_else(|| carrier(&carried, &ended));
        let (steps, peer) = steps(opened, opening);
        let first_byte = response.head_at().map(|at| at.duration_since(begun));
        let result = match (ended, response.into_answer()) {
            (Ok(()), Some(answer)) => Ok(answer),
            (Ok(()), None) => Err(SendError::Protocol("no answer".to_owned()).into()),
            (Err(error), answer) => Err(Failure { error, answer }),
        };
        Exchange { result, timings: Timings { first_byte, total: begun.elapsed(), ..steps }, peer }
    }

    /// Sends a request and reads its answer to the end.
    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
        carried: &CaptureConnection,
        response: &mut PartialResponse,
    ) -> Result<(), SendError> {
        let arrived = self.client.request(request).await.map_err(|error| classify(&error))?;
        let (parts, body) = arrived.into_parts();
        response.head(&parts);
        let is_old = response.over().is_some_and(|opened| opened.at.elapsed() > MOST_AGE);
        if (is_old || is_framed_twice(&parts.headers))
            && let Some(connected) = carried.connection_metadata().as_ref()
        {
            connected.poison();
        }
        response.body(body).await.map_err(|error| classify(&error))
    }
}

#[async_trait]
impl HttpSender for HyperSender {
    async fn check(&self, endpoint: &Endpoint) -> Result<(), Refusal> {
        let target = Target::of(endpoint.url())?;
        match timeout(MOST_FOR_CHECK, self.checks.admit(&target)).await {
            Ok(admitted) => admitted.map(drop),
            Err(_) => Err(Refusal::Unresolvable(endpoint.url().host_str().unwrap_or_default().to_owned())),
        }
    }

    async fn send(&self, outgoing: Outgoing) -> Exchange {
        let deadline = outgoing.timeout;
        match request::post(outgoing) {
            Ok(request) => self.perform(request, deadline).await,
            Err(error) => Exchange::ended(Err(error)),
        }
    }
}

/// Whether there are two opinions on where the answer ends. The chunks count, but
/// what follows them may be a part of the answer that was meant (RFC 9112, 6.3).
fn is_framed_twice(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) && headers.contains_key(CONTENT_LENGTH)
}

/// The connection that carried a request to which no answer came.
fn carrier(carried: &CaptureConnection, ended: &Result<(), SendError>) -> Option<Opened> {
    // A request that found its first connection closed is sent again; if there is no second one, the
    // first has nothing to do with it.
    if let Err(SendError::Dns | SendError::Refused(_) | SendError::Connect(_)) = ended {
        return None;
    }
    let mut extensions = Extensions::new();
    carried.connection_metadata().as_ref()?.get_extras(&mut extensions);
    extensions.remove()
}

/// The steps of a connection that was opened for an exchange, unless another one carried it, and the
/// address reached or tried.
fn steps(opened: Option<Opened>, opening: Option<Arc<Trace>>) -> (Timings, Option<SocketAddr>) {
    match (opened, opening) {
        (None, None) => (Timings::default(), None),
        (None, Some(opening)) => opening.so_far(),
        (Some(opened), Some(opening)) if Arc::ptr_eq(&opened.trace, &opening) => {
            (opening.so_far().0, Some(opened.peer))
        }
        (Some(opened), _) => (Timings::default(), Some(opened.peer)),
    }
}

impl fmt::Debug for HyperSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HyperSender").finish_non_exhaustive()
    }
}

/// After that long without use the pool does not use a connection again; it closes such ones every
/// 15 s. Receivers commonly close theirs after 30 to 75 seconds; going first avoids writing into a
/// closing one.
const MOST_IDLE: Duration = Duration::from_secs(15);
/// After this age a connection is not used again, so that a name that moved is
/// looked up (and judged) again even under constant traffic.
const MOST_AGE: Duration = Duration::from_mins(1);
const MOST_HEADERS: usize = 64;
const MOST_HEADER_BYTES: usize = 64 * 1024;
const MOST_FOR_CHECK: Duration = Duration::from_secs(5);
/// Names of new subscriptions that are looked up at a time.
const CHECKS_AT_ONCE: usize = 64;
