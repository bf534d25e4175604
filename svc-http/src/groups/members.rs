//! POST /groups/{id}/members and DELETE /groups/{id}/members/{accountId}

use http::StatusCode;
use svc_business::group;
use svc_core::id::AccountId;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

wire_request! {
    /// The company to add.
    #[derive(Debug)]
    pub(crate) struct Body as "GroupMemberAdd" computed [since] {
        /// The company.
        account_id: AccountId,
        /// Percent, as a decimal string with at most 2 decimals.
        ownership_percent: Option<String> => Form::pattern(r"^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)$").length(1, 6).example("51"),
    }
}

pub(super) async fn add(req: ApiRequest<PersonCaller>, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Body { account_id, ownership_percent } = req.json()?;
    let added = group::add_to(opened, account_id, ownership_percent.as_deref()).await;
    let group = added.map_err(|error| Problem::group(error, "accountId"))?;
    let answer = answer(&req, StatusCode::OK, group);
    let done = pending.finish(unit, answer).await;
    req.app.authenticator.forget();
    done
}

pub(super) async fn remove(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let removed = group::remove(opened, req.id("accountId")?).await;
    removed.map_err(|error| Problem::group(error, "accountId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}
