//! One member, and the role that they have.

use askama::Template;
use axum::response::Response;
use svc_business::membership::{self, MembershipStatus};
use svc_core::id::MembershipId;
use svc_core::role::Role;
use svc_http::Problem;

use super::{Offer, found, name, offers, state};
use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::instant::Instant;
use crate::page;

#[derive(Template)]
#[template(path = "members/show.html")]
struct View {
    f: Frame,
    id: MembershipId,
    version: i64,
    name: String,
    email: Option<String>,
    state: (&'static str, &'static str),
    since: Instant,
    offers: Vec<Offer>,
    /// Whether this administrator may change it.
    open: bool,
    /// Whether it is an invitation whose mail can be sent again.
    invited: bool,
    sent: bool,
}

/// GET /companies/{company}/members/{id}
pub(crate) async fn show(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (member, by) = (found(&seen).await?, seen.at().role);
    let membership = &member.membership;
    page::ok(&View {
        f: Frame::of(&seen, Place::Members),
        id: membership.id,
        version: membership.version.as_i64(),
        name: name(&member),
        email: member.person().map(|person| person.email.as_str().to_owned()),
        state: state(&member, seen.visit.now(), &seen.texts().members),
        since: membership.invited_at.into(),
        offers: offers(by, Some(membership.role), &seen.texts().companies),
        open: by == Role::Holder || membership.role != Role::Holder,
        invited: membership.status == MembershipStatus::Invited && !membership.is_expired(seen.visit.now()),
        sent: seen.visit.query().has("sent"),
    })
}

/// POST /companies/{company}/members/{id}
pub(crate) async fn change(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, at, id) = (seen.visit.app(), seen.at(), seen.id::<MembershipId>()?);
    let role: Role = seen.visit.form().text("role").parse().map_err(|_| Problem::not_found())?;
    let unit = app.business.begin().await?;
    let opened = membership::open(unit.as_ref(), seen.call(), at.company.id, id, &seen.expected()).await?;
    let changed = membership::change_role(opened, at.role, role).await;
    let changed = changed.map_err(|refused| Problem::membership(refused, "role"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    // Who gave their own role away may no longer see the members.
    let own = changed.membership.user == at.visitor.signed_in().person().id;
    Ok(page::see_other(&if own { "/companies".to_owned() } else { seen.path("/members") }))
}
