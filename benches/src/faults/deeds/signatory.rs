//! Clients that send envelopes, and sign them as their signers do, on the pages behind the links of their mails.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_testkit::business::envelopes::pdf;
use tokio::time::sleep;

use super::super::writers::below;
use super::door::Door;
use super::post::Post;
use super::{member, text};

/// Mail that did not come by then may be that of a killed job, which is claimed for five minutes: it is waited for at the
/// end.
const PATIENCE: Duration = Duration::from_secs(15);
const AT_THE_END: Duration = Duration::from_mins(9);
const LOOK: Duration = Duration::from_millis(100);

/// An envelope that was acknowledged.
pub(super) struct Sent {
    pub(super) id: String,
    pub(super) file: String,
    pub(super) signers: Vec<Signer>,
}

/// A signer of it.
pub(super) struct Signer {
    pub(super) id: String,
    email: String,
    /// The answer to the signature; `None` where it did not come.
    pub(super) signed: Option<Known>,
}

/// How it is known that a signature was taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It was answered with 303.
    Acknowledged,
    /// The envelope says so.
    Stored,
}

/// Sends and signs until the door is closed, and then signs what is left.
pub(super) async fn work(mut door: Door, number: u64, mails: PathBuf) -> Vec<Sent> {
    let (mut post, mut sent) = (Post::at(mails), Vec::new());
    let mut turn = 0;
    while door.is_open() {
        turn += 1;
        let Some(mut envelope) = send(&mut door, &format!("k{number}-{turn}")).await else { continue };
        let until = Instant::now() + PATIENCE;
        for signer in &mut envelope.signers {
            wait_and_sign(&mut door, &mut post, (&envelope.id, signer), until).await;
        }
        sent.push(envelope);
    }
    let until = Instant::now() + AT_THE_END;
    for Sent { id, signers, .. } in &mut sent {
        for signer in signers.iter_mut().filter(|signer| signer.signed.is_none()) {
            wait_and_sign(&mut door, &mut post, (id, signer), until).await;
        }
    }
    sent
}

/// Uploads a document and sends it to one person, or two; `None` where either was not acknowledged.
async fn send(door: &mut Door, name: &str) -> Option<Sent> {
    let to = door.server().await;
    let answer = door.client.upload(to, "/api/v1/files", "lease.pdf", &pdf(name)).await;
    let file = door.taken("a document", answer, &[201])?.text("id");
    let signers: Vec<Value> = (0..=below(&door.random, 2))
        .map(|place| json!({"name": "Ben Gil", "email": format!("{name}-{place}@example.com")}))
        .collect();
    let body = json!({"subject": name, "language": "en", "send": true, "signers": signers,
        "files": [{"fileId": file}]});
    let to = door.server().await;
    let answer = door.client.post(to, "/api/v1/envelopes", None, &body.to_string()).await;
    let envelope = door.taken("an envelope", answer, &[201])?.json();
    let signers = envelope.get("signers").and_then(Value::as_array).into_iter().flatten();
    let signer = |one: &Value| Signer { id: text(one, "id"), email: text(one, "email"), signed: None };
    Some(Sent { id: text(&envelope, "id"), file, signers: signers.map(signer).collect() })
}

/// Signs once the mail is there; leaves it when that takes too long.
async fn wait_and_sign(door: &mut Door, post: &mut Post, of: (&str, &mut Signer), until: Instant) {
    let (envelope, signer) = of;
    let link = loop {
        if let Some(link) = post.link(&signer.email) {
            break link;
        }
        if Instant::now() >= until {
            return;
        }
        sleep(LOOK).await;
    };
    while signer.signed.is_none() && Instant::now() < until {
        if sign(door, &link).await.is_some() {
            signer.signed = Some(Known::Acknowledged);
        } else if is_signed(door, envelope, &signer.id).await {
            signer.signed = Some(Known::Stored);
        } else {
            sleep(LOOK).await;
        }
    }
}

/// Opens the page and the document, agrees, and types the name.
async fn sign(door: &mut Door, link: &str) -> Option<()> {
    let to = door.server().await;
    let page = door.client.browse(to, link, "", None).await;
    let page = door.taken("the page of a signer", page, &[200])?;
    let (cookie, csrf) = (page.cookie?, csrf(&page.body)?);
    for (verb, fields) in [("documents/1", ""), ("sign", "&consent=yes&name=Ben+Gil")] {
        let (path, form) = (format!("{link}/{verb}"), format!("csrf={csrf}{fields}"));
        let answer = door.client.browse(to, &path, &cookie, Some(&form)).await;
        // A signature that was taken before its answer was lost is refused the second time.
        let answer = door.taken(verb, answer, &[303, 409])?;
        if answer.status == 409 {
            return None;
        }
    }
    Some(())
}

/// The token of the forms of a page.
fn csrf(page: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(page);
    let (_, rest) = text.split_once("name=\"csrf\" value=\"")?;
    rest.split_once('"').map(|(token, _)| token.to_owned())
}

async fn is_signed(door: &mut Door, envelope: &str, signer: &str) -> bool {
    let to = door.server().await;
    let answer = door.client.get(to, &format!("/api/v1/envelopes/{envelope}")).await;
    let Some(answer) = door.taken("reading an envelope", answer, &[200]) else { return false };
    let envelope = answer.json();
    let signers = envelope.get("signers").and_then(Value::as_array).into_iter().flatten();
    let by_id: BTreeMap<&str, &str> = signers.map(|one| (member(one, "id"), member(one, "status"))).collect();
    by_id.get(signer) == Some(&"signed")
}
