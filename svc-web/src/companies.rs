//! The companies of a person, and one of them.

use askama::Template;
use axum::response::Response;
use svc_auth::ports::CompanyStanding;
use svc_core::id::AccountId;
use svc_core::role::Role;
use svc_http::Problem;

use crate::frame::{Frame, Place};
use crate::gate::{Member, Person, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "companies/list.html")]
struct ListView {
    f: Frame,
    companies: Vec<Row>,
}

struct Row {
    id: AccountId,
    name: String,
    role: &'static str,
}

#[derive(Template)]
#[template(path = "companies/show.html")]
struct ShowView {
    f: Frame,
    id: AccountId,
    name: String,
    role: &'static str,
    api_access: bool,
    administers: bool,
}

/// GET /companies
pub(crate) async fn list(seen: Seen<Person>) -> Result<Response, Problem> {
    let t = &seen.texts().companies;
    let row = |(company, role): (&CompanyStanding, Role)| Row {
        id: company.id,
        name: company.legal_name.clone(),
        role: t.role(role),
    };
    let companies = seen.gate.visitor.companies().map(row).collect();
    page::ok(&ListView { companies, f: Frame::of(&seen, Place::Companies) })
}

/// GET /companies/{company}
pub(crate) async fn show(seen: Seen<Member>) -> Result<Response, Problem> {
    let (company, t) = (&seen.gate.company, &seen.texts().companies);
    page::ok(&ShowView {
        id: company.id,
        name: company.legal_name.clone(),
        role: t.role(seen.gate.role),
        api_access: company.api_access,
        administers: company.is_administered(),
        f: Frame::of(&seen, Place::Company),
    })
}
