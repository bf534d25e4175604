//! Inviting a person by the address that they sign in with.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::membership::{self, Guest, Membership};
use svc_core::role::Role;
use svc_http::Problem;

use super::{Offer, offers};
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::once::{self, Once};
use crate::page;

#[derive(Template)]
#[template(path = "members/invite.html")]
struct View {
    f: Frame,
    email: String,
    offers: Vec<Offer>,
    once: String,
    errors: Errors,
}

/// GET /companies/{company}/members/new
pub(crate) async fn show(seen: Seen<Administrator>) -> Result<Response, Problem> {
    form(&seen, StatusCode::OK, None, Errors::default())
}

/// POST /companies/{company}/members/new
pub(crate) async fn invite(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (sent, mut errors, t) = (seen.visit.form(), Errors::default(), &seen.texts().members);
    let email = sent.text("email").parse();
    let role: Option<Role> = sent.text("role").parse().ok();
    if email.is_err() {
        errors.add("email", t.no_email);
    }
    if role.is_none() {
        errors.add("role", t.no_role);
    }
    let (Ok(email), Some(role)) = (email, role) else {
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, role, errors);
    };
    let list = seen.path("/members");
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let (at, unit) = (seen.at(), seen.visit.app().business.begin().await?);
    let guest = Guest::Email(email);
    let invited = membership::invite(unit.as_ref(), seen.call(), at.role, at.company.id, guest, role).await;
    let invited = invited.map_err(|refused| Problem::membership(refused, "email"));
    match sending.settle(&seen.visit, unit, invited, |_: &Membership| list.clone()).await {
        Ok(_) => Ok(page::see_other(&list)),
        Err(problem) => {
            let errors = Errors::of(problem, seen.language)?;
            form(&seen, StatusCode::UNPROCESSABLE_ENTITY, Some(role), errors)
        }
    }
}

fn form(
    seen: &Seen<Administrator>,
    status: StatusCode,
    role: Option<Role>,
    errors: Errors,
) -> Result<Response, Problem> {
    let view = View {
        f: Frame::of(seen, Place::Members),
        email: seen.visit.form().text("email").to_owned(),
        offers: offers(seen.at().role, role, &seen.texts().companies),
        once: once::mark(&*seen.visit.app().random),
        errors,
    };
    page::with(status, &view)
}
