//! POST /groups

use http::StatusCode;
use svc_business::group::{self, CreateRequest};
use svc_core::id::AccountId;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};

use crate::problem::Problem;

wire_request! {
    /// The group to create.
    #[derive(Debug)]
    pub(crate) struct Body as "GroupCreate" of group {
        /// How it is called.
        name: String => Form::text(1, 200).example("Grupo Sol"),
        /// The company at the top; the group's first member.
        parent_account_id: AccountId,
    }
}

pub(super) async fn create(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let Body { name, parent_account_id } = req.json()?;
    let request = CreateRequest { name, parent: parent_account_id };
    let unit = req.app.business.begin().await?;
    let created = group::create(unit.as_ref(), req.call(), request).await;
    let group = created.map_err(|error| Problem::group(error, "parentAccountId"))?;
    let location = format!("/groups/{}", group.id);
    let answer = answer(&req, StatusCode::CREATED, group).location(&location);
    let done = pending.finish(unit, answer).await;
    req.app.authenticator.forget();
    done
}
