//! A small HTTP client for this machine: the demo's own calls, and forwarding.

use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::client::legacy::Client as Legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;

/// For one exchange, from connection to last byte, unless the caller waits longer.
const DEADLINE: Duration = Duration::from_secs(10);

/// Sends requests over plain HTTP.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    connections: Legacy<HttpConnector, Full<Bytes>>,
    deadline: Duration,
}

/// A response, read to its end.
#[derive(Debug)]
pub(crate) struct Response {
    /// Its status.
    pub(crate) status: StatusCode,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// Its body.
    pub(crate) body: Bytes,
}

/// Why no response came.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    /// No answer came in time.
    #[error("no answer within {} s", .0.as_secs())]
    Timeout(Duration),
    /// No connection.
    #[error("no connection")]
    Connect(#[from] hyper_util::client::legacy::Error),
    /// The connection broke.
    #[error("the answer broke off")]
    Broken(#[from] hyper::Error),
}

impl Client {
    pub(crate) fn new() -> Self {
        Self::within(DEADLINE)
    }

    /// One that waits so long for an answer.
    pub(crate) fn within(deadline: Duration) -> Self {
        Self { connections: Legacy::builder(TokioExecutor::new()).build_http(), deadline }
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response, ClientError> {
        let exchange = async {
            let (head, body) = self.connections.request(request).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            Ok(Response { status: head.status, headers: head.headers, body })
        };
        timeout(self.deadline, exchange).await.map_err(|_| ClientError::Timeout(self.deadline))?
    }
}
