//! Another end of a guest's time.

use axum::response::Response;
use http::StatusCode;
use svc_business::document::room::{self, DataRoomGrant};
use svc_business::record;
use svc_core::resource::Expected;
use svc_http::Problem;

use super::{found, refused, show};
use crate::errors::Errors;
use crate::gate::{Administrator, Seen};
use crate::instant;
use crate::page;

/// POST /companies/{company}/data-room/{id}
pub(crate) async fn extend(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, grant) = (seen.visit.app(), found(&seen).await?);
    let expires_at = instant::day_after(seen.visit.form().text("lastDay"));
    let unit = app.business.begin().await?;
    // What the guest did since the page was made changes the grant too, and is no reason to refuse.
    let opened =
        record::alone::<DataRoomGrant>(unit.as_ref(), seen.call(), grant.id, &[], &Expected::Any).await?;
    match room::extend(opened, expires_at).await.map_err(refused) {
        Ok(_) => {
            unit.commit().await?;
            Ok(page::see_other(&seen.path(&format!("/data-room/{}", grant.id))))
        }
        Err(problem) => {
            let errors = Errors::of(problem, seen.language)?;
            show::form(&seen, &grant, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
    }
}
