//! Signing: the pages behind the link that a person was sent by mail (specification, domain part 11).
//!
//! They are in the language of the envelope, and have nothing of the client area. A GET changes nothing: that the documents
//! were opened is noted when a person presses the button that opens one, as programs that look into mails follow links but
//! press no buttons. Where a link is dead, its page says why, and shows no document any more.

pub(crate) mod code;
pub(crate) mod decline;
mod deed;
pub(crate) mod document;
mod ink;
mod met;
mod view;

use axum::response::Response;
use http::StatusCode;
use svc_auth::session::CsrfToken;
use svc_business::signature::code::CodeRefused;
use svc_business::signature::{EnvelopeRefused, SignRequest};
use svc_core::error::ValidationErrors;
use svc_core::refused::Refused;
use svc_http::Problem;
use svc_http::visit::{Form, Seed};

use self::deed::Deed;
use self::met::Met;
use self::view::Told;
pub(crate) use self::view::size_of;
use crate::gate::{Anyone, Seen};
use crate::language::Language;
use crate::page;
use crate::texts::{self, filled};

/// GET /sign/{link}
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let is_sent = seen.visit.query().text("code") == "sent";
    let code = is_sent.then(|| met.texts().code_sent.to_owned());
    view::page(&seen, &met, StatusCode::OK, Told { code, ..Told::default() })
}

/// POST /sign/{link}/sign
pub(crate) async fn sign(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    if met.proved_elsewhere(&seen) {
        return refusal(&seen, &met, Refused::Own(CodeRefused::Needed.into())).await;
    }
    let form = seen.visit.form();
    let request = SignRequest { consent: consents(form), signature: ink::of(form) };
    match deed::carry_out(&seen, &met.led, Deed::Sign(&request)).await {
        Ok(()) => Ok(page::see_other(&met.path())),
        Err(refused) => refusal(&seen, &met, refused).await,
    }
}

/// Whether the box is ticked: nothing else is a consent.
fn consents(form: &Form) -> bool {
    form.text("consent") == "yes"
}

/// The page with why something was not done.
async fn refusal(
    seen: &Seen<Anyone>,
    met: &Met,
    refused: Refused<EnvelopeRefused>,
) -> Result<Response, Problem> {
    let t = met.texts();
    let form = seen.visit.form();
    let typed = Told { name: form.text("name").to_owned(), consent: consents(form), ..Told::default() };
    let reason = match refused {
        Refused::Invalid(invalid) => {
            let wrong = wrong(&invalid, t);
            return view::page(seen, met, StatusCode::UNPROCESSABLE_ENTITY, Told { wrong, ..typed });
        }
        Refused::Own(reason) => reason,
        Refused::CompanyClosed(_) => return again(seen, StatusCode::CONFLICT, typed).await,
        other @ (Refused::UnknownCompany
        | Refused::NotFound
        | Refused::VersionConflict { .. }
        | Refused::Merged { .. }
        | Refused::Taken { .. }
        | Refused::Store(_)) => return Err(other.into()),
    };
    let (status, told) = match reason {
        EnvelopeRefused::Closed(_)
        | EnvelopeRefused::LinkDead
        | EnvelopeRefused::NotYourTurn
        | EnvelopeRefused::SignerDone(_) => (StatusCode::CONFLICT, typed),
        EnvelopeRefused::NotViewed => {
            (StatusCode::CONFLICT, Told { open: Some(t.open_first.to_owned()), ..typed })
        }
        EnvelopeRefused::TrailFull => {
            (StatusCode::CONFLICT, Told { code_wrong: Some(t.trail_full.to_owned()), ..typed })
        }
        EnvelopeRefused::Code(code) => {
            let (status, text) = told(code, t);
            let told = Told { code_wrong: Some(text), ..typed };
            let mut response = again(seen, status, told).await?;
            if let CodeRefused::TooSoon { seconds } = code {
                response.headers_mut().insert(http::header::RETRY_AFTER, seconds.into());
            }
            return Ok(response);
        }
        other @ (EnvelopeRefused::NotDraft(_)
        | EnvelopeRefused::NotSent
        | EnvelopeRefused::Superseded
        | EnvelopeRefused::NotReissued
        | EnvelopeRefused::Incomplete(_)
        | EnvelopeRefused::UnknownSigner
        | EnvelopeRefused::TooManySigners
        | EnvelopeRefused::RemindedLately
        | EnvelopeRefused::TooManyMails) => return Err(other.into()),
    };
    again(seen, status, told).await
}

/// The page as the envelope is by now: another person may have ended it meanwhile.
async fn again(seen: &Seen<Anyone>, status: StatusCode, told: Told) -> Result<Response, Problem> {
    match Met::of(seen).await? {
        Some(met) => view::page(seen, &met, status, told),
        None => view::unknown(seen),
    }
}

/// What is wrong with the fields, in the language of the envelope.
fn wrong(invalid: &ValidationErrors, t: &texts::Ceremony) -> crate::errors::Errors {
    let mut errors = crate::errors::Errors::default();
    for error in &invalid.0 {
        match error.field.split('.').next().unwrap_or_default() {
            "consent" => errors.add("consent", t.consent_missing),
            "reason" => errors.add("reason", t.reason_wrong),
            _ => errors.add("signature", t.signature_wrong),
        }
    }
    errors
}

/// The status and the words for a code that is not sent, or proves nothing.
fn told(refused: CodeRefused, t: &texts::Ceremony) -> (StatusCode, String) {
    match refused {
        CodeRefused::NotNeeded => (StatusCode::CONFLICT, t.code_not_needed.to_owned()),
        CodeRefused::TooSoon { seconds } => (StatusCode::TOO_MANY_REQUESTS, filled(t.code_too_soon, seconds)),
        CodeRefused::TooMany => (StatusCode::CONFLICT, t.code_too_many.to_owned()),
        CodeRefused::Over => (StatusCode::UNPROCESSABLE_ENTITY, t.code_over.to_owned()),
        CodeRefused::Wrong { left } => (StatusCode::UNPROCESSABLE_ENTITY, filled(t.code_wrong, left)),
        CodeRefused::Needed => (StatusCode::CONFLICT, t.code_needed.to_owned()),
    }
}

/// The token of the forms of a page, with the seed that the browser gets for it where it had nothing.
pub(crate) fn tie(seen: &Seen<Anyone>) -> (CsrfToken, Option<Seed>) {
    if let Some(known) = seen.visit.browser().csrf() {
        return (known, None);
    }
    let fresh = Seed::generate(&*seen.visit.app().random);
    (fresh.csrf(), Some(fresh))
}

/// The texts in the language of an envelope.
const fn texts_in(language: Language) -> &'static texts::Ceremony {
    &language.texts().ceremony
}
