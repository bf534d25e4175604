//! A file that a guest opens.

use axum::response::Response;
use http::StatusCode;
use svc_business::document::room;
use svc_core::id::DataRoomFileId;
use svc_core::refused::Refused;
use svc_http::Problem;

use super::met::{Met, Stands};
use super::view::{self, Told};
use crate::gate::{Anyone, Seen};

/// GET /room/{link}/files/{id}
pub(crate) async fn open(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    match met.stands {
        Stands::In => {}
        Stands::Asked => return view::page(&seen, &met, StatusCode::FORBIDDEN, Told::default()).await,
        Stands::Expired | Stands::Revoked | Stands::Closed => {
            return view::page(&seen, &met, StatusCode::CONFLICT, Told::default()).await;
        }
    }
    let (visit, app) = (&seen.visit, seen.visit.app());
    let Ok(id) = seen.id::<DataRoomFileId>() else { return gone(&seen, &met).await };
    let given = match room::show_guest(&*app.business, visit.guest_call(&met.led), &met.grant, id).await {
        Ok(shown) => visit.shown_to_guest(&met.led, &met.grant, &shown).await,
        Err(Refused::Own(reason)) => {
            let wrong = Some(met.texts().not_shown(reason).to_owned());
            return view::page(&seen, &met, StatusCode::CONFLICT, Told { sent: None, wrong }).await;
        }
        Err(other) => Err(other.into()),
    };
    match given {
        Err(problem) if problem.status() == StatusCode::NOT_FOUND => gone(&seen, &met).await,
        Err(problem) if problem.status() == StatusCode::CONFLICT => {
            let wrong = Some(met.texts().not_stampable.to_owned());
            view::page(&seen, &met, StatusCode::CONFLICT, Told { sent: None, wrong }).await
        }
        given => given,
    }
}

/// The list as it is by now, with a word of what is not in it any more.
async fn gone(seen: &Seen<Anyone>, met: &Met) -> Result<Response, Problem> {
    let wrong = Some(met.texts().gone.to_owned());
    view::page(seen, met, StatusCode::NOT_FOUND, Told { sent: None, wrong }).await
}
