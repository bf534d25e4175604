//! `/mcp`: who comes in, and what they may call, before the protocol is spoken.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::any;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};
use http_body_util::Full;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use svc_auth::oauth::Issuer;
use svc_http::assistant::Assistant;
use svc_http::visit::Door;
use svc_http::{Code, Problem};

use crate::cross_origin::{self, Origins};
use crate::server::Server;
use crate::tools::{Tools, held};
use crate::{challenge, record};

/// Bytes of a request.
const LONGEST: usize = 1024 * 1024;

/// The MCP server, for [`svc_http::Pages::routes`]; nothing where the API has no authorization server. Pages of these
/// origins may call it beside those of its own.
pub fn routes(door: &Door, origins: &[Issuer]) -> Router {
    let Some(oauth) = &door.app().oauth else { return Router::new() };
    let tools = Arc::new(Tools::new(&svc_http::openapi(&door.app().settings.public_url, &door.app().events)));
    let origins = Origins::new(oauth.issuer(), origins);
    let endpoint = Endpoint {
        door: door.clone(),
        issuer: oauth.issuer().clone(),
        service: service(oauth.issuer(), &origins, Arc::clone(&tools)),
        origins,
        tools,
    };
    let answer = move |request: Request| {
        let endpoint = endpoint.clone();
        async move { endpoint.answer_shared(request).await }
    };
    Router::new().route("/mcp", any(answer))
}

type Service = StreamableHttpService<Server, NeverSessionManager>;

/// Both eras of the protocol without sessions: each request is whole.
fn service(issuer: &Issuer, origins: &Origins, tools: Arc<Tools>) -> Service {
    let host = issuer.as_str().split_once("://").map_or("", |(_, host)| host);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_allowed_hosts([host])
        .with_allowed_origins(origins.all())
        .enforce_origin_validation()
        .with_max_request_body_bytes(LONGEST);
    StreamableHttpService::new(move || Ok(Server::new(Arc::clone(&tools))), Arc::default(), config)
}

#[derive(Clone)]
struct Endpoint {
    door: Door,
    issuer: Issuer,
    service: Service,
    origins: Origins,
    tools: Arc<Tools>,
}

/// The members of a message that tell which tool is called.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
}

impl Endpoint {
    /// Answers, so that pages of the origins on the list can read it.
    async fn answer_shared(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        if let Some(response) = self.origins.preflight(&parts) {
            return response;
        }
        let origin = self.origins.allowed(&parts.headers);
        let mut response = self.answer(parts, body).await;
        if let Some(origin) = origin {
            cross_origin::share(&mut response, origin);
        }
        response
    }

    async fn answer(&self, parts: Parts, body: Body) -> Response {
        let mut assistant = match self.door.assistant(&parts).await {
            Ok(assistant) => assistant,
            Err(problem) => return self.refuse(&parts, problem),
        };
        let mut response = match self.attend(&parts, body, &mut assistant).await {
            Ok(response) => response,
            Err(problem) => self.refuse(&parts, problem),
        };
        assistant.tell_limits(&mut response);
        response
    }

    async fn attend(
        &self,
        parts: &Parts,
        body: Body,
        assistant: &mut Assistant,
    ) -> Result<Response, Problem> {
        let received = if parts.method == Method::POST {
            Some(assistant.receive(parts, body, LONGEST).await?)
        } else {
            None
        };
        let body = received.as_ref().map_or_else(Bytes::new, |received| received.body.clone());
        if parts.method == Method::POST
            && let Some(refused) = no_message(&body)
        {
            return Ok(refused);
        }
        if let Some(tool) = called(&body).and_then(|name| self.tools.find(&name))
            && tool.role > held(assistant)
        {
            let called = record::called(tool.name, &arguments(&body), &parts.headers, None);
            assistant.note(record::ended(called, "insufficient_scope", &Value::Null)).await;
            let detail = format!("the connection may not call {}: its person can widen it", tool.name);
            let problem = Problem::new(Code::MissingPermission, detail);
            let mut response = self.door.refuse(parts, problem);
            challenge::insufficient_scope(&mut response, &self.issuer, tool.role);
            return Ok(response);
        }
        let mut request = http::Request::new(Full::new(body));
        (*request.method_mut(), *request.uri_mut()) = (parts.method.clone(), parts.uri.clone());
        *request.headers_mut() = parts.headers.clone();
        request.extensions_mut().insert(assistant.clone());
        Ok(self.service.handle(request).await.map(Body::new))
    }

    fn refuse(&self, parts: &Parts, problem: Problem) -> Response {
        let code = problem.code();
        let mut response = self.door.refuse(parts, problem);
        challenge::unauthorized(&mut response, &self.issuer, code);
        response
    }
}

/// The answer to a body that is not one message (JSON-RPC 2.0, section 5.1); the protocol has no batches.
fn no_message(body: &[u8]) -> Option<Response> {
    let first = body.trim_ascii_start().first();
    let (code, message) = match serde_json::from_slice::<IgnoredAny>(body) {
        Err(_) => (-32_700, "the body is not JSON"),
        Ok(_) if first != Some(&b'{') => (-32_600, "the body is not one message of JSON-RPC"),
        Ok(_) => return None,
    };
    let told = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    let mut response = Response::new(Body::from(told.to_string()));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Some(response)
}

/// The tool that a message calls.
fn called(body: &[u8]) -> Option<Cow<'_, str>> {
    let message: Message<'_> = serde_json::from_slice(body).ok()?;
    (message.method? == "tools/call").then(|| message.params?.name)?
}

/// The arguments of such a message.
fn arguments(body: &[u8]) -> Value {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    message.pointer("/params/arguments").cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tool_that_is_called_is_read_from_the_message() {
        let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"contact_save","arguments":{}}}"#;
        assert_eq!((called(call).as_deref(), arguments(call)), (Some("contact_save"), serde_json::json!({})));
        // JSON may escape any letter.
        let escaped = br#"{"method":"tools\/call","params":{"name":"contact\u005fsave"}}"#;
        assert_eq!(called(escaped).as_deref(), Some("contact_save"));
        for other in [&br#"{"method":"tools/list","params":{"name":"contact_save"}}"#[..], b"[]", b"", b"{"] {
            assert_eq!(called(other), None);
        }
    }
}
