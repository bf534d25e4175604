//! Records that assistants find and do not make.

use axum::body::Body;
use http::{Method, Request};
use serde_json::{Value, json};
use svc_business::bank::import::add_by_hand;
use svc_business::bank::{self, BankAccount};
use svc_business::notice::{self, Notice};
use svc_business::record;
use svc_core::resource::Expected;
use svc_testkit::business::envelopes::pdf;
use svc_testkit::business::sample;

use crate::world::World;

const BOUNDARY: &str = "4e3b0f0c";

impl World {
    /// Adds a bank account to Acme, and a movement of it.
    pub(crate) async fn bank_account(&self, body: Value, movement: Value) {
        let (scope, unit) = (sample::everything(), self.database.business().begin().await.unwrap());
        let call = self.call(&scope);
        let home = record::home::<BankAccount>(unit.as_ref(), call, self.acme).await.unwrap();
        let account = bank::create(&home, &serde_json::from_value(body).unwrap()).await.unwrap();
        let opened =
            record::alone::<BankAccount>(unit.as_ref(), call, account.id, &[], &Expected::Any).await.unwrap();
        add_by_hand(&opened, &[serde_json::from_value(movement).unwrap()]).await.unwrap();
        drop(opened);
        unit.commit().await.unwrap();
    }

    /// Records a notice for Acme.
    pub(crate) async fn notice(&self, body: Value) -> Value {
        let (scope, unit) = (sample::everything(), self.database.business().begin().await.unwrap());
        let home = record::home::<Notice>(unit.as_ref(), self.call(&scope), self.acme).await.unwrap();
        let made = notice::create(home, &serde_json::from_value(body).unwrap()).await.unwrap();
        unit.commit().await.unwrap();
        json!(made.id)
    }

    /// Makes a record of Acme by a route of the API.
    pub(crate) async fn made(&self, path: &str, body: &Value) -> Value {
        self.sent(Method::POST, path, "application/json", body.to_string().into()).await
    }

    /// Changes one so.
    pub(crate) async fn changed(&self, path: &str, body: &Value) -> Value {
        self.sent(Method::PATCH, path, "application/json", body.to_string().into()).await
    }

    /// Uploads a file of Acme, of which this is said.
    pub(crate) async fn upload(&self, said: &Value, bytes: &[u8]) -> Value {
        let mut body = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"properties\"\r\n\
             Content-Type: application/json\r\n\r\n{said}\r\n--{BOUNDARY}\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        self.sent(Method::POST, "/files", &media_type, body).await
    }

    /// Uploads a PDF file with this name.
    pub(crate) async fn pdf(&self, name: &str) -> Value {
        self.upload(&json!({ "name": name }), &pdf("Contract")).await
    }

    async fn sent(&self, method: Method, path: &str, media_type: &str, body: Vec<u8>) -> Value {
        let token = self.token(&["full"], &[]).await;
        let request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        let request = request.header("host", "127.0.0.1:8080").header("content-type", media_type);
        let request = request.header("authorization", format!("Bearer {token}"));
        let answer = self.answer(request.body(Body::from(body)).unwrap()).await;
        assert!((200..300).contains(&answer.status), "{path} {}", answer.json);
        answer.json
    }
}
