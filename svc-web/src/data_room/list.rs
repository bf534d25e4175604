//! The guests of a data room, the latest one first.

use askama::Template;
use axum::response::Response;
use svc_business::document::room::{DataRoomGrant, DataRoomGrantFilter, DataRoomGrantSort, Section};
use svc_core::id::DataRoomGrantId;
use svc_core::page::{Direction, Sort};
use svc_http::Problem;

use super::state;
use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::instant::Instant;
use crate::page;
use crate::pager::{self, Pager};

#[derive(Template)]
#[template(path = "data_room/list.html")]
struct View {
    f: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: DataRoomGrantId,
    email: String,
    sections: String,
    state: (&'static str, &'static str),
    until: Instant,
    visited: Option<Instant>,
    views: u32,
}

/// GET /companies/{company}/data-room
pub(crate) async fn list(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (at, texts, now) = (seen.at(), seen.texts(), seen.visit.now());
    let grants = seen.visit.app().business.data_room_grants();
    let filter = DataRoomGrantFilter { companies: vec![at.company.id] };
    let newest = Sort(Some((DataRoomGrantSort::CreatedAt, Direction::Descending)));
    let page = grants.page(&at.scope, &filter, &newest, pager::asked(seen.visit.query())).await?;
    let row = |grant: &DataRoomGrant| Row {
        id: grant.id,
        email: grant.email.as_str().to_owned(),
        sections: grant.sections.as_slice().iter().map(Section::as_str).collect::<Vec<_>>().join(", "),
        state: state(grant, now, &texts.data_room),
        until: grant.expires_at.into(),
        visited: grant.last_visit_at.map(Instant::from),
        views: grant.views,
    };
    let (pager, rows) = (Pager::of(&page, seen.visit.uri(), texts), page.items.iter().map(row).collect());
    page::ok(&View { f: Frame::of(&seen, Place::DataRoom), rows, pager })
}
