//! Founding a person behind the link of their invitation, and accepting with that.
//!
//! The steps have commits of their own, in an order in which each one can be the last: the name, the password, the session,
//! the acceptance. A person who is left in between signs in with the new password, and finds the invitation.

use axum::response::Response;
use http::StatusCode;
use svc_auth::ports::Salt;
use svc_auth::session::{self, FirstPasswordError, PasswordText, SessionValue, SignIn, SignedIn};
use svc_business::membership::Linked;
use svc_business::party::LanguageTag;
use svc_core::error::ValidationErrors;
use svc_core::pii::PiiAccess;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;
use svc_http::Problem;

use super::{KIND, Met, Way, met, open, path};
use crate::errors::Errors;
use crate::gate::{Anyone, Seen};
use crate::{invitations, page, sign_in};

/// POST /invitation/{link}/found
pub(crate) async fn found(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let page = path(&seen);
    let Met::Open(linked, Way::Found) = met(&seen).await? else { return Ok(page::see_other(&page)) };
    let password = PasswordText::new(seen.visit.form().raw("password"));
    if let Err(errors) = judge(&seen, &linked, &password) {
        return open(&seen, StatusCode::UNPROCESSABLE_ENTITY, &linked, Way::Found, errors);
    }
    if !set_up(&seen, &linked, password.clone()).await? {
        return Ok(page::see_other(&page));
    }
    let Some((signed_in, value)) = signed_in(&seen, &linked, password).await else {
        return Ok(page::see_other(&page));
    };
    let next = match accept(&seen, &linked, &signed_in).await {
        Ok(()) => format!("/companies/{}", linked.invitation.membership.account),
        Err(problem) => {
            tracing::info!(code = problem.code().name(), "a founded person did not become a member at once");
            page
        }
    };
    let mut response = page::see_other(&next);
    page::set_cookie(&mut response, &seen.visit.session_cookie(&value));
    Ok(response)
}

/// What is wrong with name and password.
fn judge(seen: &Seen<Anyone>, linked: &Linked, password: &PasswordText) -> Result<(), Errors> {
    let (name, now) = (seen.visit.form().text("name"), seen.visit.now());
    let told = |invalid: ValidationErrors| Errors::of(invalid.into(), seen.language).unwrap_or_default();
    let mut errors = linked.person.renamed(name, locale(seen), now).map_or_else(told, |_| Errors::default());
    let person = svc_auth::ports::Person {
        id: linked.person.id,
        email: linked.person.email.as_str().to_owned(),
        name: name.to_owned(),
        active: true,
    };
    if let Err(invalid) = session::check_password("password", password, &person) {
        errors.merge(told(invalid));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn locale(seen: &Seen<Anyone>) -> LanguageTag {
    LanguageTag::from_stored(seen.language.tag().to_owned())
}

/// Gives the person their name and their first password; `false` when they have one by now.
async fn set_up(seen: &Seen<Anyone>, linked: &Linked, password: PasswordText) -> Result<bool, Problem> {
    let (app, visit) = (seen.visit.app(), &seen.visit);
    // Before a unit of work begins: the unit keeps other writers of SQLite waiting.
    let hash = app.hasher.hash(password, Salt::generate(&*app.random)).await?;
    let named = linked.person.renamed(visit.form().text("name"), locale(seen), visit.now())?;
    let unit = app.business.begin().await?;
    unit.people().replace_user(linked.person.version, &named).await?;
    unit.commit().await?;
    let by = visit.by_link(KIND, Some(linked.invitation.membership.account));
    let unit = app.sessions.begin().await?;
    match session::set_first_password(&*unit, visit.call_by_link(&by), named.id, hash).await {
        Ok(()) => unit.commit().await?,
        Err(FirstPasswordError::Present) => return Ok(false),
        Err(FirstPasswordError::Store(error)) => return Err(error.into()),
    }
    Ok(true)
}

/// Signs the person in; what stands against it is told when they do it themselves.
async fn signed_in(
    seen: &Seen<Anyone>,
    linked: &Linked,
    password: PasswordText,
) -> Option<(SignedIn, SessionValue)> {
    match sign_in::begin(&seen.visit, linked.person.email.as_str(), password).await.ok()? {
        (SignIn::Complete(signed_in), value) => Some((signed_in, value)),
        (SignIn::AwaitsCode(_), _) => None,
    }
}

async fn accept(seen: &Seen<Anyone>, linked: &Linked, signed_in: &SignedIn) -> Result<(), Problem> {
    let (app, visit, membership) = (seen.visit.app(), &seen.visit, &linked.invitation.membership);
    let actor = signed_in.actor(visit.from(), Some(visit.request()));
    let scope = signed_in.administered();
    let call = CallContext {
        scope: &scope,
        access: PiiAccess::Masked,
        actor: &actor,
        now: visit.now(),
        random: &*app.random,
    };
    let expected = Expected::only(membership.version);
    invitations::settle(app, call, (linked.person.id, membership.id), &expected, true).await.map(drop)
}
