//! DELETE /accounts/{id}/members/{memberId}

use http::StatusCode;
use svc_business::membership::{self, Member};

use super::{named, view};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(crate) async fn end(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let member = named(&req).await?;
    let expected = req.if_match();
    let (account, user) = (member.membership.account, member.membership.user);
    let by = req.role_in(account)?;
    let unit = req.app.business.begin().await?;
    let ended = membership::end(unit.as_ref(), req.call(), by, account, user, &expected).await;
    let membership = ended.map_err(|error| Problem::membership(error, "memberId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(view::answer(StatusCode::OK, Member { membership, ..member }, req.call().now))
}
