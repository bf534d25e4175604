//! Stopping a replay.

use axum::response::Response;
use svc_core::id::ReplayId;
use svc_http::Problem;
use svc_webhooks::replay;

use crate::gate::{Developer, Seen};
use crate::once::{self, Once};
use crate::page;

/// POST /companies/{company}/replays/{id}/cancel
pub(crate) async fn cancel(seen: Seen<Developer>) -> Result<Response, Problem> {
    let id: ReplayId = seen.id()?;
    let path = seen.path(&format!("/replays/{id}"));
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let unit = seen.visit.app().replays.begin_replay().await?;
    let cancelled = replay::cancel(unit.as_ref(), seen.call(), id).await.map_err(Problem::from);
    sending.settle(&seen.visit, unit, cancelled, |_| path.clone()).await?;
    Ok(page::see_other(&path))
}
