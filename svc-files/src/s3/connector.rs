//! The HTTP client that the library of S3 uses: hyper and rustls, as everywhere in this workspace.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use async_trait::async_trait;
use hyper::http::uri::Scheme;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector as TcpConnector;
use hyper_util::client::legacy::{Client, Error as ClientError};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::client::{
    ClientConfigKey, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
    HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{ClientOptions, Result};
use rustls::ClientConfig;
use thiserror::Error;
use tokio::time::timeout;

use super::stall::StallLimit;

/// Time to open a connection.
const MOST_FOR_CONNECTION: Duration = Duration::from_secs(5);
/// Time to send a request, a part at most, and to get the head of its answer.
const MOST_FOR_HEAD: Duration = Duration::from_mins(2);
/// A connection that was not used for so long is closed; AWS closes it after 20 seconds.
const MOST_IDLE: Duration = Duration::from_secs(15);

/// Makes clients with the timeouts and the trust of this crate.
#[derive(Debug)]
pub(super) struct HyperConnector {
    pub(super) tls: ClientConfig,
}

impl HttpConnector for HyperConnector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let mut tcp = TcpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(MOST_FOR_CONNECTION));
        let https = HttpsConnectorBuilder::new()
            .with_tls_config(self.tls.clone())
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(MOST_IDLE)
            .build(https);
        let allow_http = options.get_config_value(&ClientConfigKey::AllowHttp).as_deref() == Some("true");
        Ok(HttpClient::new(HyperService { client, allow_http }))
    }
}

#[derive(Debug)]
struct HyperService {
    client: Client<HttpsConnector<TcpConnector>, HttpRequestBody>,
    allow_http: bool,
}

/// Why a request was not sent, or not answered.
#[derive(Debug, Error)]
enum Unanswered {
    #[error("no answer in time")]
    Late,
    #[error("requests in the clear are not allowed")]
    Clear,
}

#[async_trait]
impl HttpService for HyperService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if !self.allow_http && request.uri().scheme() != Some(&Scheme::HTTPS) {
            return Err(HttpError::new(HttpErrorKind::Unknown, Unanswered::Clear));
        }
        let answer = timeout(MOST_FOR_HEAD, self.client.request(request))
            .await
            .map_err(|_| HttpError::new(HttpErrorKind::Timeout, Unanswered::Late))?
            .map_err(|error| HttpError::new(kind(&error), error))?;
        let (head, body) = answer.into_parts();
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(StallLimit::new(body))))
    }
}

/// What the library needs to know to decide whether the request is sent again.
fn kind(error: &ClientError) -> HttpErrorKind {
    if error.is_connect() { HttpErrorKind::Connect } else { kind_of_cause(error) }
}

/// The same of an error that happened on a connection, by the causes that it names.
pub(super) fn kind_of_cause(error: &(dyn StdError + 'static)) -> HttpErrorKind {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<hyper::Error>()
            && (error.is_closed() || error.is_incomplete_message() || error.is_body_write_aborted())
        {
            return HttpErrorKind::Request;
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return if error.kind() == io::ErrorKind::TimedOut {
                HttpErrorKind::Timeout
            } else {
                HttpErrorKind::Interrupted
            };
        }
        cause = error.source();
    }
    HttpErrorKind::Unknown
}
