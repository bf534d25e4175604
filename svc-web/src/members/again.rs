//! Sending the mail of an invitation once more.

use axum::response::Response;
use svc_business::membership;
use svc_core::id::MembershipId;
use svc_http::Problem;

use crate::gate::{Administrator, Seen};
use crate::page;

/// POST /companies/{company}/members/{id}/send-again
pub(crate) async fn send(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, at, id) = (seen.visit.app(), seen.at(), seen.id::<MembershipId>()?);
    let unit = app.business.begin().await?;
    let opened = membership::open(unit.as_ref(), seen.call(), at.company.id, id, &seen.expected()).await?;
    let sent = membership::send_again(opened, at.role).await;
    sent.map_err(|refused| Problem::membership(refused, "memberId"))?;
    unit.commit().await?;
    Ok(page::see_other(&seen.path(&format!("/members/{id}?sent"))))
}
