//! `listen`: a receiver for developers, on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use svc_core::error::chain;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, Method, Request, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use clap::Args;
use http_body_util::Full;
use serde::Serialize;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::client::Client;
use crate::commands::Context;
use crate::failure::Failure;
use crate::output::Output;
use crate::receiver::{Receipt, Receiver, Verdict};
use crate::service::{address, serve};
use crate::shutdown;

/// `listen`
#[derive(Args, Debug)]
#[command(after_help = "A server sends to this machine only when it was started with\n\
                        SVC_WEBHOOKS__EXEMPT_TARGETS=127.0.0.0/8.\n\nExamples:\n  svc-server listen --secret whsec_…\n  \
                        svc-server listen --port 0 --json\n  svc-server listen --secret whsec_… --forward-to \
                        http://127.0.0.1:3000/hooks")]
pub(crate) struct Listen {
    /// Port on this machine; 0 takes a free one
    #[arg(long, default_value_t = 9400)]
    port: u16,
    /// Signing secret of the subscription: without it nothing is verified
    #[arg(long, value_name = "WHSEC")]
    secret: Option<String>,
    /// Send each delivery on to this URL and answer as it does
    #[arg(long, value_name = "URL", conflicts_with = "answer", value_parser = local_url)]
    forward_to: Option<Url>,
    /// Answer with this status, to see how failures are retried
    #[arg(long, value_name = "STATUS", value_parser = status)]
    answer: Option<StatusCode>,
}

struct Desk {
    receiver: Receiver,
    forward: Option<(Client, Url)>,
    answer: StatusCode,
    output: Output,
}

/// A delivery with what was answered, as one line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    receipt: &'a Receipt,
    status: u16,
}

impl Listen {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let ended = shutdown::signalled()?;
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let listener = tokio::net::TcpListener::bind(wanted).await.map_err(|error| {
            Failure::caused("port_taken", &format!("port {} cannot be used", self.port), &error)
                .hint("choose another one with --port, or --port 0 for a free one")
        })?;
        let url = format!("http://{}/", address(&listener)?);
        let verifies = self.secret.is_some();
        context.output.either(&json!({"url": url, "verifies": verifies}), || {
            format!(
                "URL to subscribe: {url}{}",
                if verifies { "" } else { "  (no --secret: nothing is verified)" }
            )
        });
        let desk = Desk {
            receiver: self.secret.map(Receiver::with_secret).unwrap_or_default(),
            forward: self.forward_to.map(|url| (Client::new(), url)),
            answer: self.answer.unwrap_or(StatusCode::OK),
            output: context.output,
        };
        let router = Router::new().fallback(take).with_state(Arc::new(desk));
        let asked = CancellationToken::new();
        let served = serve(listener, router, asked.clone());
        tokio::pin!(served);
        tokio::select! {
            () = &mut served => {}
            _ = ended => {
                asked.cancel();
                served.await;
            }
        }
        Ok(())
    }
}

async fn take(
    State(desk): State<Arc<Desk>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if method != Method::POST {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "POST")], "webhooks are POSTed\n")
            .into_response();
    }
    let receipt = desk.receiver.receive(&headers, &body);
    let status = match (receipt.verdict, &desk.forward) {
        (Verdict::Refused(_), _) => StatusCode::BAD_REQUEST,
        (Verdict::Verified | Verdict::Unknown, None) => desk.answer,
        (Verdict::Verified | Verdict::Unknown, Some((client, target))) => {
            forward(client, target, &uri, &headers, body, desk.output).await
        }
    };
    let answered = status.as_u16();
    desk.output.either(&Line { receipt: &receipt, status: answered }, || {
        format!("{} → {answered}", receipt.line(desk.output))
    });
    status.into_response()
}

/// Sends a delivery on, and answers the status that came back.
async fn forward(
    client: &Client,
    target: &Url,
    uri: &Uri,
    headers: &HeaderMap,
    body: Bytes,
    output: Output,
) -> StatusCode {
    let mut target = target.clone();
    if target.query().is_none() {
        target.set_query(uri.query());
    }
    let mut request = Request::post(target.as_str());
    for (name, value) in headers.iter().filter(|(name, _)| !is_of_the_connection(name)) {
        request = request.header(name, value);
    }
    let request = match request.body(Full::new(body)) {
        Ok(request) => request,
        Err(error) => {
            output.note(format!("cannot be forwarded: {error}"));
            return StatusCode::BAD_GATEWAY;
        }
    };
    match client.send(request).await {
        Ok(response) => response.status,
        Err(error) => {
            output.note(format!("{target} does not answer: {}", chain(&error)));
            StatusCode::BAD_GATEWAY
        }
    }
}

/// Headers of one connection, which the next one makes anew (RFC 9110, section 7.6.1).
fn is_of_the_connection(name: &HeaderName) -> bool {
    [
        header::HOST,
        header::CONTENT_LENGTH,
        header::CONNECTION,
        header::TRANSFER_ENCODING,
        header::TE,
        header::TRAILER,
        header::UPGRADE,
    ]
    .contains(name)
}

fn local_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if url.scheme() == "http" && url.has_host() {
        Ok(url)
    } else {
        Err("expected a URL such as http://127.0.0.1:3000/hooks".to_owned())
    }
}

fn status(text: &str) -> Result<StatusCode, String> {
    text.parse()
        .ok()
        .filter(|status: &StatusCode| status.as_u16() >= 200)
        .ok_or_else(|| "expected a status from 200 to 599".to_owned())
}
