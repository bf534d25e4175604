//! The subscriptions of a company, oldest first.

use askama::Template;
use axum::response::Response;
use svc_core::id::SubscriptionId;
use svc_http::Problem;

use super::{health, state};
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::page;
use crate::pager::{self, Pager};

#[derive(Template)]
#[template(path = "subscriptions/list.html")]
struct View {
    f: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: SubscriptionId,
    name: String,
    url: String,
    events: usize,
    state: (&'static str, &'static str),
    health: health::Told,
}

/// GET /companies/{company}/webhooks
pub(crate) async fn list(seen: Seen<Developer>) -> Result<Response, Problem> {
    let request = pager::asked(seen.visit.query());
    let (scope, t) = (&seen.at().scope, &seen.texts().subscriptions);
    let reader = seen.visit.app().webhooks.subscriptions();
    let page = reader.page(scope, request).await?;
    let ids: Vec<SubscriptionId> = page.items.iter().map(|one| one.id).collect();
    let healths = reader.health(scope, &ids).await?;
    let pager = Pager::of(&page, seen.visit.uri(), seen.texts());
    let row = |one: svc_webhooks::subscription::Subscription| Row {
        id: one.id,
        url: one.endpoint.as_str().to_owned(),
        events: one.events.len(),
        state: state(&one, t),
        health: health::told(healths.get(&one.id), seen.visit.now(), t),
        name: one.name,
    };
    let rows = page.items.into_iter().map(row).collect();
    page::ok(&View { f: Frame::of(&seen, Place::Webhooks), rows, pager })
}
