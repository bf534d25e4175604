//! The companies of a person, and one of them.

pub(crate) mod data;
mod draft;
pub(crate) mod life;

use askama::Template;
use axum::response::Response;
use svc_auth::ports::CompanyStanding;
use svc_business::membership::{Invitation, Membership};
use svc_core::id::{AccountId, MembershipId};
use svc_core::page::{Page, PageRules};
use svc_core::role::Role;
use svc_http::Problem;

use crate::activity::{self, Activity};
use crate::frame::{Frame, Place};
use crate::gate::{Member, Person, Seen};
use crate::page;
use crate::pager::{self, Pager};

#[derive(Template)]
#[template(path = "companies/list.html")]
struct ListView {
    f: Frame,
    companies: Vec<Row>,
    pager: Pager,
    invitations: Vec<Offered>,
}

/// An invitation that is not answered yet.
struct Offered {
    id: MembershipId,
    version: i64,
    name: String,
    role: &'static str,
    inviter: Option<String>,
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
    /// For who administers it, where API access is on.
    activity: Option<Activity>,
}

/// GET /companies
pub(crate) async fn list(seen: Seen<Person>) -> Result<Response, Problem> {
    let t = &seen.texts().companies;
    let row = |(company, role): (&CompanyStanding, Role)| Row {
        id: company.id,
        name: company.legal_name.clone(),
        role: t.role(role),
    };
    let all = seen.gate.visitor.companies().map(row).collect();
    let companies = Page::of_all(all, pager::asked(seen.visit.query()));
    let pager = Pager::of(&companies, seen.visit.uri(), seen.texts());
    let (companies, invitations) = (companies.items, invitations(&seen).await?);
    page::ok(&ListView { f: Frame::of(&seen, Place::Companies), companies, pager, invitations })
}

async fn invitations(seen: &Seen<Person>) -> Result<Vec<Offered>, Problem> {
    let t = &seen.texts().companies;
    let (people, person) = (seen.visit.app().business.people(), seen.gate.visitor.signed_in().person().id);
    let since = seen.visit.now().minus(Membership::OPEN_FOR);
    let most = PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).map_err(|_| Problem::internal())?;
    let offered = |invitation: Invitation| Offered {
        id: invitation.membership.id,
        version: invitation.membership.version.as_i64(),
        role: t.role(invitation.membership.role),
        name: invitation.legal_name,
        inviter: invitation.inviter.map(|inviter| inviter.name),
    };
    Ok(people.invitations(person, since, most).await?.items.into_iter().map(offered).collect())
}

/// GET /companies/{company}
pub(crate) async fn show(seen: Seen<Member>) -> Result<Response, Problem> {
    let (company, t) = (&seen.gate.company, &seen.texts().companies);
    let scope = seen.gate.visitor.signed_in().administered().only(company.id);
    let activity = match scope.filter(|_| company.api_access) {
        Some(scope) => Some(activity::of(&seen, &scope).await?),
        None => None,
    };
    page::ok(&ShowView {
        activity,
        id: company.id,
        name: company.legal_name.clone(),
        role: t.role(seen.gate.role),
        api_access: company.api_access,
        administers: company.is_administered(),
        f: Frame::of(&seen, Place::Company),
    })
}
