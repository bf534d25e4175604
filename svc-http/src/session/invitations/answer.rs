//! POST /session/invitations/{membershipId}/accept and /decline

use http::StatusCode;
use svc_business::membership::{self, Invitation};
use svc_core::id::MembershipId;

use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::problem::Problem;

/// What the person answers.
enum Reply {
    Accept,
    Decline,
}

pub(super) async fn accept(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    take(Reply::Accept, exchange).await
}

pub(super) async fn decline(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    take(Reply::Decline, exchange).await
}

async fn take(reply: Reply, exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let id: MembershipId = exchange.id("membershipId")?;
    let (app, person) = (&exchange.app, exchange.caller.signed_in.person().id);
    let found = app.business.people().invitation(person, id).await?;
    let version = found.as_ref().map(|invitation| invitation.membership.version);
    let expected = exchange.expected(std::future::ready(Ok(version))).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    exchange.no_body()?;
    let unit = app.business.begin().await?;
    let answered = match reply {
        Reply::Accept => membership::accept(unit.as_ref(), exchange.call(), person, id, expected).await,
        Reply::Decline => membership::decline(unit.as_ref(), exchange.call(), person, id, expected).await,
    };
    let membership = answered.map_err(|error| Problem::membership(error, "membershipId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    let version = membership.version;
    Ok(Answer::plain(StatusCode::OK, &View::of(&Invitation { membership, ..found })).version(version))
}
