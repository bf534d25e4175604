//! Shutting a guest out, with a word of what follows.

use axum::response::Response;
use svc_business::document::room::{self, DataRoomGrant};
use svc_business::record;
use svc_core::resource::Expected;
use svc_http::Problem;

use super::found;
use crate::ask::{self, Question};
use crate::frame::Place;
use crate::gate::{Administrator, Seen};
use crate::page;

/// GET /companies/{company}/data-room/{id}/revoke
pub(crate) async fn ask(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (grant, t) = (found(&seen).await?, &seen.texts().data_room);
    let email = grant.email.as_str().to_owned();
    let question = Question {
        place: Place::DataRoom,
        told: (t.revoke, t.revoke_text),
        subject: (&email, &grant.id.to_string()),
        version: grant.version,
        path: seen.path(&format!("/data-room/{}", grant.id)),
        step: "revoke",
        danger: true,
    };
    ask::page(&seen, question)
}

/// POST /companies/{company}/data-room/{id}/revoke
pub(crate) async fn revoke(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, grant) = (seen.visit.app(), found(&seen).await?);
    let unit = app.business.begin().await?;
    let opened =
        record::alone::<DataRoomGrant>(unit.as_ref(), seen.call(), grant.id, &[], &Expected::Any).await?;
    room::revoke(opened).await?;
    unit.commit().await?;
    Ok(page::see_other(&seen.path(&format!("/data-room/{}", grant.id))))
}
