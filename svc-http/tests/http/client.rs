//! A client of the API in a test, and the answers that it gets.

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use crate::multipart::{self, Part};

/// Sends requests with one token.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) router: Router,
    pub(crate) token: String,
}

impl Client {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], String::new()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_with(path, &[], body).await
    }

    pub(crate) async fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.send(Method::POST, path, headers, body.to_string()).await
    }

    pub(crate) async fn patch(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.send(Method::PATCH, path, headers, body.to_string()).await
    }

    pub(crate) async fn delete(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::DELETE, path, headers, String::new()).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Answer {
        let (media, body) = multipart::sent(path, body);
        let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        request = request.header("authorization", format!("Bearer {}", self.token));
        if !body.is_empty() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", media);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(&self.router, request.body(Body::from(body)).unwrap()).await
    }

    /// Uploads a PDF file that this text tells from others; answers its id.
    pub(crate) async fn pdf(&self, text: &str) -> String {
        let file = String::from_utf8(svc_testkit::business::envelopes::pdf(text)).unwrap();
        let body = serde_json::json!({"properties": {"name": format!("{text}.pdf")}, "file": file});
        self.post("/files", &body).await.ok(201).id()
    }

    /// Posts a body of several parts.
    pub(crate) async fn send_parts(&self, path: &str, headers: &[(&str, &str)], parts: &[Part]) -> Answer {
        let (media, body) = multipart::joined(parts);
        let mut request = Request::post(format!("/api/v1{path}")).header("content-type", media);
        request = request.header("authorization", format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(&self.router, request.body(Body::from(body)).unwrap()).await
    }
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Status and code of a problem, which must be whole.
    #[track_caller]
    pub(crate) fn problem(&self) -> (u16, &str) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        assert_eq!(self.json["status"], self.status.as_u16());
        assert!(self.json["requestId"].as_str().unwrap().starts_with("req_"));
        assert!(
            !self.json["detail"].as_str().unwrap().is_empty()
                && !self.json["title"].as_str().unwrap().is_empty()
        );
        let code = self.json["code"].as_str().unwrap();
        assert!(self.json["type"].as_str().unwrap().ends_with(code));
        (self.status.as_u16(), code)
    }

    /// The one field that a problem names, with its code.
    #[track_caller]
    pub(crate) fn field(&self) -> (&str, &str) {
        let errors = self.json["errors"].as_array().unwrap_or_else(|| panic!("no errors in {self:?}"));
        assert_eq!(errors.len(), 1, "{self:?}");
        (errors[0]["field"].as_str().unwrap(), errors[0]["code"].as_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn ok(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self
    }

    pub(crate) fn id(&self) -> String {
        self.json["id"].as_str().unwrap().to_owned()
    }
}

/// An answer that must not be the service's own fault.
pub(crate) async fn answer(router: &Router, request: Request<Body>) -> Answer {
    let answer = any_answer(router, request).await;
    assert!(!answer.status.is_server_error(), "{answer:?}");
    answer
}

/// An answer, whatever it is.
pub(crate) async fn any_answer(router: &Router, request: Request<Body>) -> Answer {
    let response = router.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let json = serde_json::from_slice(&bytes).unwrap_or_default();
    Answer { status: parts.status, headers: parts.headers, text, json }
}
