//! POST /session/invitations/{membershipId}/accept and /decline

use http::StatusCode;
use svc_business::membership::{self, Invitation};
use svc_core::id::MembershipId;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

/// What the person answers.
enum Reply {
    Accept,
    Decline,
}

pub(super) async fn accept(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    take(Reply::Accept, req).await
}

pub(super) async fn decline(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    take(Reply::Decline, req).await
}

async fn take(reply: Reply, req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let id: MembershipId = req.id("membershipId")?;
    let (app, person) = (&req.app, req.caller.signed_in.person().id);
    let found = app.business.people().invitation(person, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let expected = req.if_match();
    expected.check(found.membership.version)?;
    req.no_body()?;
    let unit = app.business.begin().await?;
    let answered = match reply {
        Reply::Accept => membership::accept(unit.as_ref(), req.call(), person, id, &expected).await,
        Reply::Decline => membership::decline(unit.as_ref(), req.call(), person, id, &expected).await,
    };
    let membership = answered.map_err(|error| Problem::membership(error, "membershipId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    let version = membership.version;
    Ok(Answer::plain(StatusCode::OK, &View::of(&Invitation { membership, ..found })).version(version))
}
