//! Answering an invitation: only its person can.

use axum::response::Response;
use svc_business::membership::{self, Invitation};
use svc_core::id::{MembershipId, UserId};
use svc_core::resource::Expected;
use svc_core::unit::CallContext;
use svc_http::{App, Problem};

use crate::gate::{Person, Seen};
use crate::page;

/// POST /invitations/{id}/accept
pub(crate) async fn accept(seen: Seen<Person>) -> Result<Response, Problem> {
    let accepted = answered(&seen, seen.id()?, true).await?;
    Ok(page::see_other(&format!("/companies/{}", accepted.membership.account)))
}

/// POST /invitations/{id}/decline
pub(crate) async fn decline(seen: Seen<Person>) -> Result<Response, Problem> {
    answered(&seen, seen.id()?, false).await?;
    Ok(page::see_other("/companies"))
}

/// Accepts or declines what the person was offered.
pub(crate) async fn answered(
    seen: &Seen<Person>,
    id: MembershipId,
    accepts: bool,
) -> Result<Invitation, Problem> {
    let person = seen.gate.visitor.signed_in().person().id;
    settle(seen.visit.app(), seen.call(), (person, id), &seen.expected(), accepts).await
}

/// The same for a person who is known otherwise than by a session.
pub(crate) async fn settle(
    app: &App,
    call: CallContext<'_>,
    (person, id): (UserId, MembershipId),
    expected: &Expected,
    accepts: bool,
) -> Result<Invitation, Problem> {
    let unit = app.business.begin().await?;
    let opened = membership::open_invitation(unit.as_ref(), call, person, id, expected).await?;
    let done = if accepts { membership::accept(opened).await } else { membership::decline(opened).await };
    let done = done.map_err(|refused| Problem::membership(refused, "membershipId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    Ok(done)
}
