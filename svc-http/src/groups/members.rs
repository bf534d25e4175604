//! POST /groups/{id}/members and DELETE /groups/{id}/members/{accountId}

use http::StatusCode;
use svc_business::group::{self, AddRequest};
use svc_core::id::AccountId;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::{answer, version};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::precondition::began_at;
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
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let Body { account_id, ownership_percent } = req.json()?;
    let request = AddRequest { group: id, account: account_id, ownership_percent };
    let unit = req.app.business.begin().await?;
    let added = group::add(unit.as_ref(), req.call(), request).await;
    let group = added.map_err(|error| Problem::group(error, "accountId"))?;
    began_at(expected, group.version)?;
    let answer = answer(&req, StatusCode::OK, group);
    let done = pending.finish(unit, answer).await;
    req.app.authenticator.forget();
    done
}

pub(super) async fn remove(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let unit = req.app.business.begin().await?;
    let account = req.id("accountId")?;
    let removed = group::remove(unit.as_ref(), req.call(), id, expected, account).await;
    removed.map_err(|error| Problem::group(error, "accountId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}
