//! Declining, on a page of its own: it ends the envelope for everyone.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::signature::DeclineRequest;
use svc_core::refused::Refused;
use svc_http::Problem;

use super::deed::{Deed, carry_out};
use super::met::{Met, Stands};
use super::{refusal, tie, view, wrong};
use crate::errors::Errors;
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::page;
use crate::texts::filled;

#[derive(Template)]
#[template(path = "sign/decline.html")]
struct View {
    f: Frame,
    sender: String,
    subject: String,
    lead: String,
    at: String,
    /// Whether a document was opened.
    viewed: bool,
    reason: String,
    errors: Errors,
}

/// GET /sign/{link}/decline
pub(crate) async fn ask(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    form(&seen, &met, StatusCode::OK, Errors::default())
}

/// POST /sign/{link}/decline
pub(crate) async fn decline(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let request = DeclineRequest { reason: seen.visit.form().text("reason").to_owned() };
    match carry_out(&seen, &met.led, Deed::Decline(&request)).await {
        Ok(()) => Ok(page::see_other(&met.path())),
        Err(Refused::Invalid(invalid)) => {
            form(&seen, &met, StatusCode::UNPROCESSABLE_ENTITY, wrong(&invalid, met.texts()))
        }
        Err(refused) => refusal(&seen, &met, refused).await,
    }
}

fn form(seen: &Seen<Anyone>, met: &Met, status: StatusCode, errors: Errors) -> Result<Response, Problem> {
    if met.stands != Stands::Asked {
        return view::page(seen, met, status, view::Told::default());
    }
    let (token, fresh) = tie(seen);
    let view = View {
        f: Frame::of_link(seen, met.language, &token),
        sender: met.sender.clone(),
        subject: met.envelope.subject.clone(),
        lead: filled(met.texts().decline_lead, &met.sender),
        at: format!("{}{}", seen.root(), met.path()),
        viewed: met.signer.status.viewed_at().is_some(),
        reason: seen.visit.form().text("reason").to_owned(),
        errors,
    };
    page::tied(&seen.visit, status, &view, fresh.as_ref())
}
