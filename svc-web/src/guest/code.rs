//! The code that a guest is sent by mail, and proves to have.

use axum::response::Response;
use http::StatusCode;
use svc_business::document::room::{self, DataRoomGrant, GuestRefused};
use svc_business::link::code::CodeRefused;
use svc_business::record;
use svc_core::error::StoreError;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_http::Problem;

use super::met::Met;
use super::view::{self, Told};
use crate::gate::{Anyone, Seen};
use crate::page;
use crate::texts::{self, filled};

/// How often a code is judged that comes at the same time as another one.
const TRIES: u32 = 3;

/// POST /room/{link}/code: with `code` it is judged, and without one is sent.
pub(crate) async fn give(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let form = seen.visit.form();
    let typed = form.has("code").then(|| form.text("code"));
    match carry_out(&seen, &met, typed).await {
        Ok(()) if typed.is_none() => Ok(page::see_other(&format!("{}?code=sent", met.path()))),
        Ok(()) => {
            let mut response = page::see_other(&met.path());
            seen.visit.let_in(&met.led, &mut response);
            Ok(response)
        }
        Err(refused) => refusal(&seen, refused).await,
    }
}

async fn carry_out(seen: &Seen<Anyone>, met: &Met, typed: Option<&str>) -> Result<(), Refused<GuestRefused>> {
    for _ in 1..TRIES {
        match attempt(seen, met, typed).await {
            Err(Refused::Store(StoreError::Conflict | StoreError::Undone)) => {}
            ended => return ended,
        }
    }
    attempt(seen, met, typed).await
}

async fn attempt(seen: &Seen<Anyone>, met: &Met, typed: Option<&str>) -> Result<(), Refused<GuestRefused>> {
    let (visit, app) = (&seen.visit, seen.visit.app());
    let unit = app.business.begin().await?;
    let call = visit.guest_call(&met.led);
    let opened =
        record::alone::<DataRoomGrant>(unit.as_ref(), call, met.led.grant, &[], &Expected::Any).await;
    let opened = opened.map_err(Refused::widen)?;
    let judged = match typed {
        None => room::request_code(opened, &app.ceremony_key).await.map(|_| Ok(()))?,
        Some(typed) => room::prove_code(opened, &app.ceremony_key, typed).await?.map(drop),
    };
    unit.commit().await?;
    judged.map_err(|refused| Refused::Own(refused.into()))
}

/// The page as the grant is by now, with why nothing was sent, or the code proves nothing.
async fn refusal(seen: &Seen<Anyone>, refused: Refused<GuestRefused>) -> Result<Response, Problem> {
    let Some(met) = Met::of(seen).await? else { return view::unknown(seen) };
    let t = met.texts();
    let (status, wrong, wait) = match refused {
        Refused::Own(GuestRefused::Code(code)) => told(code, t),
        Refused::Own(GuestRefused::TooManyMails) => {
            (StatusCode::TOO_MANY_REQUESTS, Some(t.too_many_mails.to_owned()), None)
        }
        Refused::Own(GuestRefused::Ended) | Refused::CompanyClosed(_) => (StatusCode::CONFLICT, None, None),
        other @ (Refused::UnknownCompany
        | Refused::NotFound
        | Refused::VersionConflict { .. }
        | Refused::Merged { .. }
        | Refused::Invalid(_)
        | Refused::Taken { .. }
        | Refused::Store(_)) => return Err(other.map(|_| Problem::internal()).into()),
    };
    let mut response = view::page(seen, &met, status, Told { sent: None, wrong }).await?;
    if let Some(seconds) = wait {
        response.headers_mut().insert(http::header::RETRY_AFTER, seconds.into());
    }
    Ok(response)
}

/// The status, the words, and how long to wait.
fn told(refused: CodeRefused, t: &texts::Guest) -> (StatusCode, Option<String>, Option<u64>) {
    let (status, text, wait) = match refused {
        CodeRefused::TooSoon { seconds } => {
            (StatusCode::TOO_MANY_REQUESTS, filled(t.code_too_soon, seconds), Some(seconds))
        }
        CodeRefused::TooMany => (StatusCode::TOO_MANY_REQUESTS, t.code_too_many.to_owned(), None),
        CodeRefused::Over | CodeRefused::Needed | CodeRefused::NotNeeded => {
            (StatusCode::UNPROCESSABLE_ENTITY, t.code_over.to_owned(), None)
        }
        CodeRefused::Wrong { left } => (StatusCode::UNPROCESSABLE_ENTITY, filled(t.code_wrong, left), None),
    };
    (status, Some(text), wait)
}
