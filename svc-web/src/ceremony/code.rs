//! The code that a person is sent by mail, and proves to have.

use axum::response::Response;
use svc_business::signature::CodeRequest;
use svc_http::Problem;

use super::deed::{Deed, carry_out};
use super::met::Met;
use super::{refusal, view};
use crate::gate::{Anyone, Seen};
use crate::page;

/// POST /sign/{link}/otp: with `code` it is judged, and without one is sent.
pub(crate) async fn give(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let form = seen.visit.form();
    let request = CodeRequest { code: form.text("code").to_owned() };
    let (deed, done) = if form.has("code") {
        (Deed::ProveCode(&request), "#code")
    } else {
        (Deed::RequestCode, "?code=sent#code")
    };
    match carry_out(&seen, &met.led, deed).await {
        Ok(()) => {
            let mut response = page::see_other(&format!("{}{done}", met.path()));
            if form.has("code") {
                seen.visit.note_proof(&met.led, &mut response);
            }
            Ok(response)
        }
        Err(refused) => refusal(&seen, &met, refused).await,
    }
}
