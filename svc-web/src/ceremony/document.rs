//! The documents, as people read them before they sign.

use axum::response::Response;
use http::StatusCode;
use svc_business::signature::EnvelopeFile;
use svc_http::Problem;

use super::deed::{Deed, carry_out};
use super::met::{Met, Stands};
use super::{refusal, view};
use crate::gate::{Anyone, Seen};
use crate::page;

/// POST /sign/{link}/documents/{number}: notes that the person opened the documents, and leads to one.
pub(crate) async fn open(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let number = file(&seen, &met)?.0;
    match carry_out(&seen, &met.led, Deed::View).await {
        Ok(()) => Ok(page::see_other(&format!("{}/documents/{number}", met.path()))),
        Err(refused) => refusal(&seen, &met, refused).await,
    }
}

/// GET /sign/{link}/documents/{number}
pub(crate) async fn read(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    match met.stands {
        Stands::Asked | Stands::Signed => seen.visit.document(&met.led, file(&seen, &met)?.1).await,
        Stands::Waiting
        | Stands::Completed
        | Stands::YouDeclined
        | Stands::Declined
        | Stands::Voided(_)
        | Stands::Expired
        | Stands::Reissued
        | Stands::Replaced
        | Stands::Closed => view::page(&seen, &met, StatusCode::CONFLICT, view::Told::default()),
    }
}

/// The document that the path names, counted from 1.
fn file<'m>(seen: &Seen<Anyone>, met: &'m Met) -> Result<(usize, &'m EnvelopeFile), Problem> {
    let number: Option<usize> = seen.visit.named("number").and_then(|number| number.parse().ok());
    let found = number.and_then(|number| Some((number, met.envelope.files.get(number.checked_sub(1)?)?)));
    found.ok_or_else(Problem::not_found)
}
