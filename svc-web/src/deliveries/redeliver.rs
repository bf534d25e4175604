//! Sending an ended delivery once more.

use axum::response::Response;
use svc_core::id::DeliveryId;
use svc_http::Problem;
use svc_webhooks::delivery::{self, Delivery};

use crate::gate::{Developer, Seen};
use crate::once::{self, Once};
use crate::page;

/// POST /companies/{company}/deliveries/{id}/redeliver
pub(crate) async fn redeliver(seen: Seen<Developer>) -> Result<Response, Problem> {
    let id: DeliveryId = seen.id()?;
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let unit = seen.visit.app().webhooks.begin().await?;
    let queued = delivery::redeliver(unit.as_ref(), seen.call(), id).await.map_err(Problem::from);
    let path = |queued: &Delivery| seen.path(&format!("/deliveries/{}", queued.id));
    let queued = sending.settle(&seen.visit, unit, queued, path).await?;
    Ok(page::see_other(&path(&queued)))
}
