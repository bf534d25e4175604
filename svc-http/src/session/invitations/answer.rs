//! POST /session/invitations/{membershipId}/accept and /decline

use http::StatusCode;
use svc_business::membership;
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
    let unit = app.business.begin().await?;
    let opened = membership::open_invitation(unit.as_ref(), req.call(), person, id, &req.if_match()).await?;
    req.no_body()?;
    let answered = match reply {
        Reply::Accept => membership::accept(opened).await,
        Reply::Decline => membership::decline(opened).await,
    };
    let answered = answered.map_err(|refused| Problem::membership(refused, "membershipId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&answered)).version(answered.membership.version))
}
