//! The members of a company, oldest first.

use askama::Template;
use axum::response::Response;
use svc_business::membership::Member;
use svc_core::id::MembershipId;
use svc_http::Problem;

use super::{name, state};
use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::instant::Instant;
use crate::page;
use crate::pager::{self, Pager};

#[derive(Template)]
#[template(path = "members/list.html")]
struct View {
    f: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: MembershipId,
    name: String,
    email: Option<String>,
    role: &'static str,
    state: (&'static str, &'static str),
    since: Instant,
}

/// GET /companies/{company}/members
pub(crate) async fn list(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (at, texts, now) = (seen.at(), seen.texts(), seen.visit.now());
    let people = seen.visit.app().business.people();
    let page = people.members(&at.scope, at.company.id, pager::asked(seen.visit.query())).await?;
    let row = |member: &Member| Row {
        id: member.membership.id,
        name: name(member),
        email: member.person().map(|person| person.email.as_str().to_owned()),
        role: texts.companies.role(member.membership.role),
        state: state(member, now, &texts.members),
        since: member.membership.invited_at.into(),
    };
    let (pager, rows) = (Pager::of(&page, seen.visit.uri(), texts), page.items.iter().map(row).collect());
    page::ok(&View { f: Frame::of(&seen, Place::Members), rows, pager })
}
