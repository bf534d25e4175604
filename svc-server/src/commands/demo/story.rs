//! What happens in the demo: calls of the HTTP API, as a customer makes them.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, header};
use serde_json::{Value, json};
use svc_business::catalogue;
use svc_core::error::chain;
use svc_core::event::EventDeclaration;

use crate::client::Client;
use crate::failure::Failure;

/// The API as the demo's customer calls it.
pub(super) struct Api {
    client: Client,
    base: String,
    token: String,
}

/// The events that the story leads to: type and id of the object.
pub(super) struct Story {
    /// In the order in which they happened; they may arrive in another one.
    pub(super) events: Vec<(&'static str, String)>,
}

impl Api {
    pub(super) fn new(base: String, token: String) -> Self {
        Self { client: Client::new(), base, token }
    }

    /// Subscribes `url` to every event; answers the signing secret.
    pub(super) async fn subscribe(&self, url: &str) -> Result<String, Failure> {
        let events: Vec<_> = catalogue::events().all().map(EventDeclaration::name).collect();
        let body = json!({"name": "Demo receiver", "url": url, "events": events});
        let made = self.call(Method::POST, "/webhooks/subscriptions", &body).await?;
        member(&made, "secret")
    }

    /// Creates, changes and merges contacts.
    pub(super) async fn tell(&self) -> Result<Story, Failure> {
        let organization =
            json!({"kind": "organization", "legalName": "Panadería Luna SL", "roles": ["customer"]});
        let shop = self.create(&organization).await?;
        let twin = self.create(&json!({"kind": "organization", "legalName": "Panaderia Luna"})).await?;
        let update = json!({"email": "hola@luna.example", "tags": ["bakery"]});
        self.call(Method::PATCH, &format!("/contacts/{shop}"), &update).await?;
        self.call(Method::POST, &format!("/contacts/{shop}/merge"), &json!({"mergedId": twin})).await?;
        Ok(Story {
            events: vec![
                ("contact.create", shop.clone()),
                ("contact.create", twin),
                ("contact.update", shop.clone()),
                ("contact.merge", shop),
            ],
        })
    }

    async fn create(&self, contact: &Value) -> Result<String, Failure> {
        member(&self.call(Method::POST, "/contacts", contact).await?, "id")
    }

    async fn call(&self, method: Method, path: &str, body: &Value) -> Result<Value, Failure> {
        let what = format!("{method} {path}");
        let failed = |reason: String| Failure::new("demo_call_failed", format!("{what}: {reason}"));
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(body.to_string())))
            .map_err(|error| failed(error.to_string()))?;
        let response = self.client.send(request).await.map_err(|error| failed(chain(&error)))?;
        if !response.status.is_success() {
            let text = String::from_utf8_lossy(&response.body).into_owned();
            return Err(failed(format!("answered {}: {text}", response.status)));
        }
        serde_json::from_slice(&response.body).map_err(|error| failed(error.to_string()))
    }
}

fn member(object: &Value, name: &str) -> Result<String, Failure> {
    object
        .get(name)
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| Failure::new("demo_call_failed", format!("the answer has no `{name}`")))
}
