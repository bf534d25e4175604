//! A contract is sent, signed at the page behind the link of the mail, and sealed.

use std::path::Path;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, header};
use serde_json::json;
use svc_core::error::chain;
use svc_seal::SealKey;
use tokio::time::{Instant, sleep};

use crate::client::{Client, Response};
use crate::commands::demo::api::Api;
use crate::commands::demo::story::{Expected, Step, id, text};
use crate::failure::Failure;

/// Mails and seals are there by then.
const DEADLINE: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);

const SIGNER: (&str, &str) = ("Eva Sol", "eva@example.com");

/// What was sent.
pub(in crate::commands::demo) struct Sent {
    envelope: String,
    file: String,
}

/// The invoice as a PDF, which stands for any contract, is sent to be signed.
pub(in crate::commands::demo) async fn send(api: &Api, invoice: &str) -> Result<(Step, Sent), Failure> {
    let contract = api.bytes(&format!("/billing/{invoice}/pdf")).await?;
    let file = id(&api.upload("/files", "contract.pdf", &contract).await?)?;
    let (name, email) = SIGNER;
    let envelope = json!({"subject": "Contract of the works", "language": "en", "send": true,
        "files": [{"fileId": file}], "signers": [{"name": name, "email": email}]});
    let envelope = id(&api.post("/envelopes", &envelope).await?)?;
    let words = format!("{name} is sent a contract to sign: a link, by mail.");
    let figures = json!({"envelopeId": envelope, "fileId": file});
    let events = vec![Expected::of("file.create", &file), Expected::of("envelope.sent", &envelope)];
    Ok((Step::new("contract", &figures, words, events), Sent { envelope, file }))
}

/// The signer opens the link, reads, agrees and types the name.
pub(in crate::commands::demo) async fn sign(mails: &Path, sent: &Sent) -> Result<Step, Failure> {
    let (name, email) = SIGNER;
    let link = link(mails, email).await?;
    let browser = Browser::open(&link).await?;
    browser.press(&format!("{link}/documents/1"), "").await?;
    let name_field = format!("&consent=yes&name={}", name.replace(' ', "+"));
    browser.press(&format!("{link}/sign"), &name_field).await?;
    let words =
        format!("{name} opens the link, reads the contract, agrees and types the name: signed by all.");
    let events = vec![Expected::of("envelope.completed", &sent.envelope)];
    Ok(Step::new("signature", &json!({"envelopeId": sent.envelope, "signer": name}), words, events))
}

/// The sealed file: it has the document in it, and no byte of it was changed.
pub(in crate::commands::demo) async fn sealed(
    api: &Api,
    key: &SealKey,
    sent: &Sent,
) -> Result<Step, Failure> {
    let path = format!("/envelopes/{}", sent.envelope);
    let until = Instant::now() + DEADLINE;
    let (certificate, file) = loop {
        let envelope = api.get(&path).await?;
        if let Ok(certificate) = text(&envelope, "/certificateFileId") {
            break (certificate, text(&envelope, "/completedFileIds/0")?);
        }
        later(until, "the seal").await?;
    };
    let bytes = api.bytes(&format!("{path}/documents/{}?signed=true", sent.file)).await?;
    let verified = svc_seal::verify(&bytes, key)
        .map_err(|error| Failure::caused("demo_seal_broken", "the sealed file does not verify", &error))?;
    let entries = verified.evidence.entries.links().len();
    let words = format!(
        "It is sealed, and whole: {} bytes with the evidence of {entries} steps, each with the hash of the one before.",
        bytes.len()
    );
    let figures = json!({"envelopeId": sent.envelope, "sha256": verified.digest, "entries": entries});
    let events = vec![Expected::of("file.create", &file), Expected::of("file.create", &certificate)];
    Ok(Step::new("seal", &figures, words, events))
}

/// The link in the mail to a person.
async fn link(mails: &Path, to: &str) -> Result<String, Failure> {
    let until = Instant::now() + DEADLINE;
    loop {
        let folder = std::fs::read_dir(mails).into_iter().flatten().map_while(Result::ok);
        let finished = folder.filter(|file| file.path().extension().is_some_and(|kind| kind == "eml"));
        let texts = finished.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        let mut words = texts.filter(|text| text.contains(&format!("To: {to}"))).flat_map(|text| {
            text.split_whitespace()
                .filter(|word| word.contains("/sign/"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        if let Some(link) = words.next() {
            return Ok(link);
        }
        later(until, "the mail of the signer").await?;
    }
}

async fn later(until: Instant, what: &str) -> Result<(), Failure> {
    if Instant::now() >= until {
        return Err(Failure::new(
            "demo_incomplete",
            format!("{what} did not come within {} s", DEADLINE.as_secs()),
        ));
    }
    sleep(LOOK).await;
    Ok(())
}

/// What a browser of the signer keeps: its cookie, and the token of the forms.
struct Browser {
    client: Client,
    cookie: String,
    csrf: String,
}

impl Browser {
    async fn open(link: &str) -> Result<Self, Failure> {
        let client = Client::new();
        let page = Self::send(&client, Request::get(link), Bytes::new()).await?;
        let text = String::from_utf8_lossy(&page.body).into_owned();
        let csrf = text.split_once("name=\"csrf\" value=\"").and_then(|(_, rest)| rest.split_once('"'));
        let cookie = page.headers.get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
        let (Some((csrf, _)), Some(cookie)) = (csrf, cookie.and_then(|cookie| cookie.split(';').next()))
        else {
            return Err(Failure::new("demo_call_failed", "the page of the signer has no form"));
        };
        Ok(Self { cookie: cookie.to_owned(), csrf: csrf.to_owned(), client })
    }

    /// Sends a form, after which the page is shown anew.
    async fn press(&self, url: &str, fields: &str) -> Result<(), Failure> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(url)
            .header(header::COOKIE, &self.cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let form = format!("csrf={}{fields}", self.csrf);
        Self::send(&self.client, request, Bytes::from(form)).await.map(drop)
    }

    async fn send(
        client: &Client,
        request: hyper::http::request::Builder,
        body: Bytes,
    ) -> Result<Response, Failure> {
        let failed =
            |reason: String| Failure::new("demo_call_failed", format!("the page of the signer: {reason}"));
        let request = request.body(Full::new(body)).map_err(|error| failed(error.to_string()))?;
        let answer = client.send(request).await.map_err(|error| failed(chain(&error)))?;
        if answer.status.is_client_error() || answer.status.is_server_error() {
            return Err(failed(format!("answered {}", answer.status)));
        }
        Ok(answer)
    }
}
