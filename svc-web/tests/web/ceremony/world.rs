//! Envelopes that Ana sends by the API, and the links that people were sent.

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};
use svc_business::signature::Envelope;
use svc_core::id::EnvelopeId;
use svc_testkit::business::envelopes::{key, pdf};
use svc_testkit::business::sample;

use crate::app::{Browser, TestArea};

/// What Ana sends, and with what.
pub(crate) struct Sent {
    pub(crate) area: TestArea,
    token: String,
    pub(crate) id: EnvelopeId,
}

/// Two people who sign, each with the link alone.
pub(crate) fn two() -> Value {
    json!([{"name": "Ben Gil", "email": "ben@example.com"}, {"name": "Eva Sol", "email": "eva@example.com"}])
}

impl Sent {
    /// With what is other than usual in it.
    pub(crate) async fn new(signers: Value, other: Value) -> Self {
        let area = TestArea::new().await;
        let ana = area.signed_in("ana").await;
        let page = ana.get(&format!("{}/tokens/new", area.company())).await;
        let form = page.form("/tokens/new").with("name", "Everything").with("all", "full");
        let page = ana.submit(&form.with("step", "review")).await;
        let page = ana.submit(&page.form("/tokens/new").with("step", "create")).await;
        let mut sent = Self { area, token: page.value("value"), id: sample::id(0) };
        let file = sent.upload("Lease").await;
        let mut draft = json!({"subject": "Lease of the office", "language": "en", "send": true,
            "files": [{"fileId": file}], "signers": signers});
        for (name, value) in other.as_object().into_iter().flatten() {
            draft[name] = value.clone();
        }
        let made = sent.post("/envelopes", &draft).await;
        sent.id = made["id"].as_str().unwrap().parse().unwrap();
        sent
    }

    async fn upload(&self, text: &str) -> Value {
        let head = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"Lease.pdf\"\r\n\r\n";
        let body = [head.as_bytes(), &pdf(text), b"\r\n--b--\r\n"].concat();
        self.call("/files", "multipart/form-data; boundary=b", body).await["id"].clone()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Value {
        self.call(path, "application/json", body.to_string().into_bytes()).await
    }

    /// What the sender does with the envelope.
    pub(crate) async fn act(&self, verb: &str, body: Value) -> Value {
        self.post(&format!("/envelopes/{}/{verb}", self.id), &body).await
    }

    async fn call(&self, path: &str, media: &str, body: Vec<u8>) -> Value {
        let request = Request::post(format!("/api/v1{path}")).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let request = request.header("content-type", media).body(Body::from(body)).unwrap();
        let (status, answer) = self.browser().raw(request).await;
        let text = String::from_utf8(answer).unwrap();
        assert!((200..300).contains(&status), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub(crate) fn browser(&self) -> Browser {
        self.area.browser()
    }

    pub(crate) async fn envelope(&self) -> Envelope {
        let found = self.area.database.business().envelopes().find(&sample::everything(), self.id).await;
        found.unwrap().unwrap()
    }

    /// The path of a person's link.
    pub(crate) async fn link(&self, person: usize) -> String {
        let signer = &self.envelope().await.signers[person];
        let link = signer.access.unwrap().link(&key(), signer.id).unwrap();
        format!("/sign/{}", link.as_str())
    }

    /// The code that a person was sent last.
    pub(crate) async fn code(&self, person: usize) -> String {
        let signer = &self.envelope().await.signers[person];
        signer.codes.last.unwrap().text(&key(), signer.id).unwrap().as_str().to_owned()
    }

    /// Opens the first document by the button of the page, as the person with this browser does.
    pub(crate) async fn read(&self, browser: &Browser, link: &str) {
        let page = browser.get(link).await;
        browser.submit(&page.form("/documents/1")).await.is(200);
    }

    /// Reads and signs.
    pub(crate) async fn sign(&self, person: usize) {
        let (browser, link) = (self.browser(), self.link(person).await);
        self.read(&browser, &link).await;
        let form = browser.get(&link).await.form(&format!("{link}/sign"));
        browser.submit(&form.with("name", "Ben Gil").with("consent", "yes")).await.is(200);
    }
}
