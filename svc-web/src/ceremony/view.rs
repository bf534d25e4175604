//! What the page shows.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::signature::operations::consent_text;
use svc_business::signature::{SignerAuth, SignerRole, SignerStatus};
use svc_http::Problem;

use super::met::{Met, Stands};
use super::tie;
use crate::errors::Errors;
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::instant::Instant;
use crate::language::Language;
use crate::page;
use crate::texts::{self, filled};

/// What a page tells of the form that was sent last.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Of the documents.
    pub(super) open: Option<String>,
    /// Of a code that was sent.
    pub(super) code: Option<String>,
    /// Of a code that was not sent, or proves nothing.
    pub(super) code_wrong: Option<String>,
    /// Of the fields of the signature.
    pub(super) wrong: Errors,
    /// What was typed.
    pub(super) name: String,
    pub(super) consent: bool,
}

#[derive(Template)]
#[template(path = "sign/page.html")]
struct Page<'m> {
    f: Frame,
    sender: &'m str,
    subject: &'m str,
    asks: String,
    message: Option<&'m str>,
    until: Option<Instant>,
    documents: Vec<Document<'m>>,
    people: Vec<Person<'m>>,
    viewed_at: Option<Instant>,
    code: Code,
    approves: bool,
    consent: &'static str,
    /// Where the page is, with the root.
    at: String,
    told: Told,
}

#[derive(Template)]
#[template(path = "sign/ended.html")]
struct Ended<'m> {
    f: Frame,
    sender: &'m str,
    subject: &'m str,
    title: &'static str,
    text: String,
    words: Option<&'m str>,
    tone: &'static str,
    /// What may be read again while others sign.
    documents: Vec<Document<'m>>,
    people: Vec<Person<'m>>,
    at: String,
}

#[derive(Template)]
#[template(path = "sign/unknown.html")]
struct Unknown {
    f: Frame,
    sender: &'static str,
}

/// A document, counted from 1.
struct Document<'m> {
    number: usize,
    name: &'m str,
    about: String,
}

/// A person who takes part.
struct Person<'m> {
    name: &'m str,
    is_you: bool,
    part: &'static str,
    state: &'static str,
}

/// How far a person is with the code.
struct Code {
    /// Whether one is asked for.
    needed: bool,
    sent: bool,
    proved: bool,
    hint: String,
}

/// The page of a link, as it stands with its person.
pub(super) fn page(
    seen: &Seen<Anyone>,
    met: &Met,
    status: StatusCode,
    told: Told,
) -> Result<Response, Problem> {
    let (token, fresh) = tie(seen);
    let f = Frame::of_link(seen, met.language, &token);
    let (t, at) = (met.texts(), format!("{}{}", seen.root(), met.path()));
    let (sender, subject) = (met.sender.as_str(), met.envelope.subject.as_str());
    if met.stands == Stands::Asked {
        let approves = met.signer.role == SignerRole::Approver;
        let view = Page {
            f,
            sender,
            subject,
            asks: asks(met, approves),
            message: met.envelope.message.as_deref(),
            until: met.envelope.expires_at.map(Instant::from),
            documents: documents(met),
            people: people(met),
            viewed_at: met.signer.status.viewed_at().map(Instant::from),
            code: code(seen, met),
            approves,
            consent: consent_text(&met.envelope.language),
            at,
            told,
        };
        return page::tied(&seen.visit, status, &view, fresh.as_ref());
    }
    let is_open = met.stands == Stands::Signed;
    let (tone, title, text) = ended(met, t);
    let ended = Ended {
        f,
        sender,
        subject,
        title,
        text,
        words: if let Stands::Voided(words) = &met.stands { Some(words) } else { None },
        tone,
        documents: if is_open { documents(met) } else { Vec::new() },
        people: if is_open { people(met) } else { Vec::new() },
        at,
    };
    page::tied(&seen.visit, status, &ended, fresh.as_ref())
}

/// A link that leads nowhere.
pub(super) fn unknown(seen: &Seen<Anyone>) -> Result<Response, Problem> {
    let (token, _) = tie(seen);
    let view = Unknown { f: Frame::of_link(seen, seen.language, &token), sender: "" };
    page::with(StatusCode::NOT_FOUND, &view)
}

/// `Acme SL asks Ben Gil to sign.`
fn asks(met: &Met, approves: bool) -> String {
    let t = met.texts();
    let text = if approves { t.asks_to_approve } else { t.asks_to_sign };
    let (before, rest) = text.split_once("{}").unwrap_or((text, ""));
    format!("{before}{}{}", met.sender, filled(rest, &met.signer.name))
}

/// Tone, title and text of a page without a form.
fn ended(met: &Met, t: &texts::Ceremony) -> (&'static str, &'static str, String) {
    let approves = met.signer.role == SignerRole::Approver;
    let signed = if approves { t.approved_title } else { t.signed_title };
    let of = |text| filled(text, &met.sender);
    match &met.stands {
        Stands::Asked | Stands::Waiting => ("", t.waiting_title, t.waiting_text.to_owned()),
        Stands::Signed => ("good", signed, t.signed_text.to_owned()),
        Stands::Completed => ("good", t.completed_title, t.completed_text.to_owned()),
        Stands::YouDeclined => ("", t.you_declined_title, of(t.you_declined_text)),
        Stands::Declined => ("warn", t.declined_title, of(t.declined_text)),
        Stands::Voided(_) => ("warn", t.voided_title, of(t.voided_text)),
        Stands::Expired => ("warn", t.expired_title, of(t.expired_text)),
        Stands::Reissued => ("warn", t.reissued_title, of(t.reissued_text)),
        Stands::Replaced => ("warn", t.replaced_title, of(t.replaced_text)),
        Stands::Closed => ("warn", t.closed_title, of(t.closed_text)),
    }
}

fn documents(met: &Met) -> Vec<Document<'_>> {
    let mut documents = Vec::new();
    for (number, file) in (1..).zip(&met.envelope.files) {
        let Some(pin) = &file.pin else { continue };
        let size = size_of(pin.size, met.language);
        let pages = match pin.pages {
            1 => met.texts().one_page.to_owned(),
            pages => filled(met.texts().pages, pages),
        };
        documents.push(Document { number, name: &pin.name, about: format!("{size}, {pages}") });
    }
    documents
}

/// `12 kB`, `1.3 MB`.
pub(crate) fn size_of(bytes: u64, language: Language) -> String {
    if bytes < 999_500 {
        return format!("{} kB", bytes.div_ceil(1000));
    }
    let tenths = bytes.div_ceil(100_000);
    let point = match language {
        Language::English => '.',
        Language::Spanish => ',',
    };
    format!("{}{point}{} MB", tenths / 10, tenths % 10)
}

/// Those who take part, without those who were replaced.
fn people(met: &Met) -> Vec<Person<'_>> {
    let t = met.texts();
    let there =
        met.envelope.signers.iter().filter(|one| !matches!(one.status, SignerStatus::Replaced { .. }));
    there
        .map(|one| Person {
            name: &one.name,
            is_you: one.id == met.signer.id,
            part: t.role(one.role),
            state: if one.role.acts() { t.state_of(&one.status) } else { "–" },
        })
        .collect()
}

fn code(seen: &Seen<Anyone>, met: &Met) -> Code {
    let codes = &met.signer.codes;
    Code {
        needed: met.signer.auth == SignerAuth::EmailOtp,
        sent: codes.last.is_some(),
        proved: met.is_proved(seen) && !met.proved_elsewhere(seen),
        hint: filled(met.texts().confirm_hint, met.signer.email.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_by_people() {
        let read = |bytes| size_of(bytes, Language::English);
        assert_eq!([0, 1, 999, 1001].map(read), ["0 kB", "1 kB", "1 kB", "2 kB"]);
        assert_eq!([999_500, 1_250_000, 25_000_000].map(read), ["1.0 MB", "1.3 MB", "25.0 MB"]);
        assert_eq!(size_of(1_250_000, Language::Spanish), "1,3 MB");
    }
}
