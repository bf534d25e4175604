//! Opens connections to targets that the guard admits.
//!
//! Each new connection runs through the same steps, also after a check of the same URL:
//! the name is resolved once, **all** answers are judged, the connection goes to
//! one of those very addresses (nothing is resolved again), the peer of the open
//! socket is judged once more, and TLS is set up under the name of the URL.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use svc_webhooks::ports::Refusal;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tower::Service;
use url::Url;

use crate::connection::{Connection, Opened};
use crate::guard::Guard;
use crate::idle_limit::IdleLimit;
use crate::target::{Target, TargetHost};
use crate::trace::{Step, Trace};
use crate::write_timeout::WriteTimeout;

/// Why no connection was opened. The client finds it in hyper's chain of sources.
#[derive(Debug, Error)]
pub(crate) enum ConnectError {
    #[error("the host name does not resolve")]
    Dns,
    #[error("refused: {0}")]
    Refused(Refusal),
    #[error("connection failed: {0}")]
    Connect(io::Error),
    #[error("TLS failed: {0}")]
    Tls(io::Error),
    #[error("no connection in time")]
    Timeout,
}

impl From<Refusal> for ConnectError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unresolvable(_) => Self::Dns,
            Refusal::NotHttps | Refusal::InternalName(_) | Refusal::NotPublic { .. } | Refusal::Port(_) => {
                Self::Refused(refusal)
            }
        }
    }
}

/// hyper's way to connections.
#[derive(Clone)]
pub(crate) struct Connector {
    guard: Guard,
    tls: TlsConnector,
    idle_limit: IdleLimit,
}

impl Connector {
    pub(crate) fn new(guard: Guard, tls: Arc<ClientConfig>, idle_limit: IdleLimit) -> Self {
        Self { guard, tls: TlsConnector::from(tls), idle_limit }
    }

    async fn connect(self, uri: Uri, trace: Arc<Trace>) -> Result<TokioIo<Connection>, ConnectError> {
        let url = Url::parse(&uri.to_string())
            .map_err(|error| ConnectError::Connect(io::Error::new(io::ErrorKind::InvalidInput, error)))?;
        let target = Target::of(&url)?;
        if matches!(target.host, TargetHost::Name(_)) {
            trace.begin(Step::Dns);
        }
        let admitted = self.guard.admit(&target).await;
        trace.end();
        let tcp = first_to_answer(&admitted?, &trace).await?;
        // An address may lead elsewhere than it says (`0.0.0.0` is this host).
        let peer = tcp.peer_addr().map_err(ConnectError::Connect)?;
        self.guard.admit_peer(&target, peer)?;
        // A request is written in one piece: waiting for more only delays it.
        tcp.set_nodelay(true).map_err(ConnectError::Connect)?;
        let tcp = WriteTimeout::from(tcp);
        let connection = if target.secure {
            let name = server_name(&target.host)?;
            trace.begin(Step::Tls);
            let session = self.tls.connect(name, tcp).await.map_err(ConnectError::Tls)?;
            trace.end();
            Connection::tls(session, Opened::now(peer, trace), self.idle_limit.acquire())
        } else {
            Connection::plain(tcp, Opened::now(peer, trace), self.idle_limit.acquire())
        };
        tracing::debug!(host = uri.host(), %peer, "connection opened");
        Ok(TokioIo::new(connection))
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Connection>;
    type Error = ConnectError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.clone().connect(uri, Trace::set_out());
        // The request's own deadline is not enough: when another connection
        // becomes free first, hyper finishes this one in the background.
        Box::pin(async move { timeout(MOST_FOR_ALL, connecting).await.unwrap_or(Err(ConnectError::Timeout)) })
    }
}

/// No connection takes longer than this, DNS and TLS included.
const MOST_FOR_ALL: Duration = Duration::from_secs(10);
/// Time for one of several addresses, so that a dead one leaves time for the next.
const MOST_FOR_ONE: Duration = Duration::from_secs(2);
/// How many addresses of a name are tried.
const MOST_ADDRESSES: usize = 4;

/// Tries addresses in turn. The last one may take what time is left.
async fn first_to_answer(addresses: &[SocketAddr], trace: &Trace) -> Result<TcpStream, ConnectError> {
    trace.begin(Step::Connect);
    let mut failure = io::Error::from(io::ErrorKind::AddrNotAvailable);
    let tried = addresses.len().min(MOST_ADDRESSES);
    for (number, address) in (1..=tried).zip(addresses) {
        trace.try_address(*address);
        let connecting = TcpStream::connect(address);
        let outcome = if number == tried {
            connecting.await
        } else {
            timeout(MOST_FOR_ONE, connecting).await.unwrap_or_else(|late| Err(late.into()))
        };
        match outcome {
            Ok(stream) => {
                trace.end();
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    Err(ConnectError::Connect(failure))
}

/// The name for SNI and for the certificate: the one in the URL, never the address it resolved to.
fn server_name(host: &TargetHost) -> Result<ServerName<'static>, ConnectError> {
    match host {
        TargetHost::Address(address) => Ok(ServerName::from(*address)),
        TargetHost::Name(name) => ServerName::try_from(name.clone())
            .map_err(|error| ConnectError::Tls(io::Error::new(io::ErrorKind::InvalidInput, error))),
    }
}
