//! What the examples that send need beside what they show: a receiver, a caller, and a failure.

use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http_body_util::BodyExt as _;
use serde::Serialize;
use svc_core::clock::Clock as _;
use svc_core::system::SystemClock;
use svc_webhooks::signature::Verifier;
use tokio::sync::mpsc;
use tower::ServiceExt as _;

/// A failure that a client cannot act on.
#[derive(Debug)]
pub struct Failed(Box<dyn Error + Send + Sync>);

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, self.0.to_string()).into_response()
    }
}

/// Posts JSON to the routes of a service; answers the body.
///
/// # Errors
/// When the answer is no success.
pub async fn call(
    routes: &Router,
    path: &str,
    body: &(impl Serialize + Sync),
) -> Result<String, Box<dyn Error>> {
    let request = Request::post(path).header("content-type", "application/json");
    let response = routes.clone().oneshot(request.body(Body::from(serde_json::to_vec(body)?))?).await?;
    let status = response.status();
    let text = String::from_utf8(response.into_body().collect().await?.to_bytes().into())?;
    if status.is_success() { Ok(text) } else { Err(format!("{path}: {status} {text}").into()) }
}

/// The service of a subscriber, on this machine.
#[derive(Debug)]
pub struct Receiver {
    /// Where it listens.
    pub url: String,
    verifier: Arc<OnceLock<Verifier>>,
    arrived: mpsc::UnboundedReceiver<String>,
}

impl Receiver {
    /// Listens on a free port, and believes nothing until it is told its secret.
    ///
    /// # Errors
    /// When it cannot listen.
    pub async fn listen() -> Result<Self, Box<dyn Error>> {
        let (verifier, (sender, arrived)) =
            (Arc::new(OnceLock::<Verifier>::new()), mpsc::unbounded_channel());
        let known = Arc::clone(&verifier);
        let hook = move |headers: HeaderMap, body: Bytes| {
            let genuine =
                known.get().is_some_and(|known| known.verify(&headers, &body, SystemClock.now()).is_ok());
            let told = genuine && sender.send(String::from_utf8_lossy(&body).into_owned()).is_ok();
            async move { if told { StatusCode::OK } else { StatusCode::BAD_REQUEST } }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hook", listener.local_addr()?);
        tokio::spawn(axum::serve(listener, Router::new().route("/hook", post(hook))).into_future());
        Ok(Self { url, verifier, arrived })
    }

    /// From now on it verifies with this secret.
    ///
    /// # Errors
    /// When it is no secret, or not the first.
    pub fn knows(&self, secret: String) -> Result<(), Box<dyn Error>> {
        self.verifier.set(Verifier::new([secret])?).map_err(|_| "a receiver is told its secret once".into())
    }

    /// The body of the next notification that it believed; waits for ten seconds.
    ///
    /// # Errors
    /// When none came.
    pub async fn next(&mut self) -> Result<String, Box<dyn Error>> {
        let arrived = tokio::time::timeout(Duration::from_secs(10), self.arrived.recv()).await?;
        arrived.ok_or_else(|| "the receiver has stopped".into())
    }

    /// Whether nothing more has arrived.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrived.is_empty()
    }
}
