//! One guest: what they are let into, and what they did.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::document::room::{DataRoomFilter, DataRoomGrant, GrantState};
use svc_core::page::{PageRules, Sort};
use svc_http::Problem;

use super::{found, state};
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::instant::Instant;
use crate::page;

#[derive(Template)]
#[template(path = "data_room/show.html")]
struct View {
    f: Frame,
    path: String,
    email: String,
    state: (&'static str, &'static str),
    /// Each section, and how many files it has by now.
    sections: Vec<(String, u64)>,
    personal_data: bool,
    made: Instant,
    until: Instant,
    revoked: Option<Instant>,
    visited: Option<Instant>,
    views: u32,
    /// Whether it can be extended and ended.
    open: bool,
    last_day: String,
    errors: Errors,
}

/// GET /companies/{company}/data-room/{id}
pub(crate) async fn show(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let grant = found(&seen).await?;
    form(&seen, &grant, StatusCode::OK, Errors::default()).await
}

pub(super) async fn form(
    seen: &Seen<Administrator>,
    grant: &DataRoomGrant,
    status: StatusCode,
    errors: Errors,
) -> Result<Response, Problem> {
    let (room, now) = (seen.visit.app().business.data_room(), seen.visit.now());
    let one = PageRules::USUAL.page(None, Some(1)).map_err(|_| Problem::internal())?;
    let mut sections = Vec::new();
    for section in grant.sections.as_slice() {
        let within = Some(section.clone());
        let filter =
            DataRoomFilter { companies: vec![grant.company], section: within, ..DataRoomFilter::default() };
        let page = room.page(&seen.at().scope, &filter, &Sort(None), one).await?;
        sections.push((section.as_str().to_owned(), page.total));
    }
    let view = View {
        f: Frame::of(seen, Place::DataRoom),
        path: format!("/data-room/{}", grant.id),
        email: grant.email.as_str().to_owned(),
        state: state(grant, now, &seen.texts().data_room),
        sections,
        personal_data: grant.personal_data,
        made: grant.created_at.into(),
        until: grant.expires_at.into(),
        revoked: grant.revoked_at.map(Instant::from),
        visited: grant.last_visit_at.map(Instant::from),
        views: grant.views,
        open: grant.state(now) != GrantState::Revoked,
        last_day: seen.visit.form().text("lastDay").to_owned(),
        errors,
    };
    page::with(status, &view)
}
