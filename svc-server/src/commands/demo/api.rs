//! The HTTP API as the demo's customer calls it.

use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, header};
use serde_json::{Value, json};
use svc_business::catalogue;
use svc_core::error::chain;
use svc_core::event::EventDeclaration;

use super::story::text;
use crate::client::Client;
use crate::failure::Failure;

/// The verification of 100,000 documents is to be done by then.
const DEADLINE: Duration = Duration::from_mins(5);

const JSON: &str = "application/json";
/// Stands between the parts of a form, and in no file of the demo.
const EDGE: &str = "svc-demo-edge-8f1c2a";

/// The API of one company.
pub(super) struct Api {
    client: Client,
    base: String,
    token: String,
    /// Below `/books`.
    company: String,
}

impl Api {
    pub(super) fn new(base: String, token: String, company: String) -> Self {
        Self { client: Client::within(DEADLINE), base, token, company }
    }

    /// Subscribes `url` to every event; answers the signing secret.
    pub(super) async fn subscribe(&self, url: &str) -> Result<String, Failure> {
        let events: Vec<_> = catalogue::events().all().map(EventDeclaration::name).collect();
        let body = json!({"name": "Demo receiver", "url": url, "events": events});
        text(&self.post("/webhooks/subscriptions", &body).await?, "/secret")
    }

    /// Gives the company what invoices name: a tax id and an address (RD 1619/2012, art. 6).
    pub(super) async fn complete_company(&self) -> Result<String, Failure> {
        let body = json!({"taxId": "B12345674", "address": {"line1": "Calle Mayor 1", "city": "Madrid",
            "postalCode": "28013", "country": "ES"}});
        self.patch(&format!("/accounts/{}", self.company), &body).await?;
        Ok(self.company.clone())
    }

    /// A path below the books of the company.
    pub(super) fn books(&self, under: &str) -> String {
        format!("/books/{}{under}", self.company)
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.call(Method::GET, path, JSON, Bytes::new()).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.call(Method::POST, path, JSON, Bytes::from(body.to_string())).await
    }

    pub(super) async fn patch(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.call(Method::PATCH, path, JSON, Bytes::from(body.to_string())).await
    }

    /// Sends a file in the part `file` (RFC 7578).
    pub(super) async fn upload(&self, path: &str, name: &str, content: &[u8]) -> Result<Value, Failure> {
        let head =
            format!("--{EDGE}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        let body = [head.as_bytes(), content, format!("\r\n--{EDGE}--\r\n").as_bytes()].concat();
        self.call(Method::POST, path, &format!("multipart/form-data; boundary={EDGE}"), Bytes::from(body))
            .await
    }

    /// What is no JSON.
    pub(super) async fn bytes(&self, path: &str) -> Result<Bytes, Failure> {
        self.answer(Method::GET, path, JSON, Bytes::new()).await
    }

    async fn call(&self, method: Method, path: &str, kind: &str, body: Bytes) -> Result<Value, Failure> {
        let what = format!("{method} {path}");
        let answer = self.answer(method, path, kind, body).await?;
        serde_json::from_slice(&answer)
            .map_err(|error| Failure::new("demo_call_failed", format!("{what}: {error}")))
    }

    async fn answer(&self, method: Method, path: &str, kind: &str, body: Bytes) -> Result<Bytes, Failure> {
        let what = format!("{method} {path}");
        let failed = |reason: String| Failure::new("demo_call_failed", format!("{what}: {reason}"));
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, kind)
            .body(Full::new(body))
            .map_err(|error| failed(error.to_string()))?;
        let response = self.client.send(request).await.map_err(|error| failed(chain(&error)))?;
        if !response.status.is_success() {
            let text = String::from_utf8_lossy(&response.body).into_owned();
            return Err(failed(format!("answered {}: {text}", response.status)));
        }
        Ok(response.body)
    }
}
