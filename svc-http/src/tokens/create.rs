//! POST /tokens

use http::StatusCode;
use svc_auth::token::{self, AuthorityError, CreateRequest};
use svc_core::clock::Timestamp;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, GroupId};
use svc_core::wire::Form;
use svc_core::wire_request;

use super::view::Valued;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, PersonCaller};
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

wire_request! {
    /// The token to create.
    #[derive(Debug)]
    pub(crate) struct Body as "TokenCreate" of token
        computed [companyId, type, value, prefix, state, lastUsedAt, lastUsedIp, createdBy]
    {
        /// To name the integration.
        name: String => Form::text(1, 100).example("Shop sync"),
        /// Permissions such as `sales:invoices.read`, wildcards such as `sales:*.read`, and the levels of all areas,
        /// such as `read`, or of one, such as `sales:full`.
        permissions: Vec<String> => super::PERMISSIONS,
        /// When it stops working; the operator may require one.
        expires_at: Option<Timestamp>,
        /// Addresses and CIDR ranges that it may be used from; anywhere when empty.
        #[serde(default)]
        allowed_ips: Vec<String> => super::ALLOWED_IPS,
        /// The company whose limits and events it works with; may be left out by who administers one only.
        primary_account_id: Option<AccountId>,
        /// Other companies that it reaches.
        #[serde(default)]
        account_ids: Vec<AccountId> => Form::list(0, 500, &Form::ANY),
        /// Groups that it reaches whole, companies that join later included; named by who holds or administers the
        /// group's `parentAccountId`, and reached while they do.
        #[serde(default)]
        group_ids: Vec<GroupId> => Form::list(0, 500, &Form::ANY),
        /// Whether it sees personal data in full.
        #[serde(default)]
        personal_data: bool,
    }
}

pub(super) async fn create(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let body: Body = req.json()?;
    let request = CreateRequest {
        name: body.name,
        permissions: body.permissions,
        personal_data: body.personal_data,
        allowed_ips: body.allowed_ips,
        expires_at: body.expires_at,
        primary: primary(&req, body.primary_account_id)?,
        companies: body.account_ids,
        groups: body.group_ids,
        creator: Some(req.caller.signed_in.person().id),
    };
    let app = &req.app;
    let unit = app.auth.begin().await?;
    let created = token::create(unit.as_ref(), req.call(), request.clone(), &app.peppers, &app.policy).await;
    let (token, value) = created.map_err(|refused| refused.map(|error| refusal(error, &request)))?;
    let now = req.context.now;
    let shown = Valued::of(&token, Some(&value), now)?;
    let answer = Answer::once(StatusCode::CREATED, &shown, &Valued::of(&token, None, now)?)
        .location(&format!("/tokens/{}", token.id))
        .version(token.version)
        .of(token.primary);
    let done = pending.finish(unit, answer).await;
    app.authenticator.forget();
    done
}

/// The named company, or the only one that the person holds or administers.
fn primary(req: &ApiRequest<PersonCaller>, named: Option<AccountId>) -> Result<AccountId, Problem> {
    let administered = req.caller.scope().companies().into_iter().flatten();
    match (named, administered.copied().collect::<Vec<_>>().as_slice()) {
        (Some(named), _) => Ok(named),
        (None, [only]) => Ok(*only),
        (None, _) => {
            let message = "name the company whose limits and events the token works with";
            Err(ValidationErrors::one("primaryAccountId", "required", message).into())
        }
    }
}

/// Says which member of the request it is about.
fn refusal(error: AuthorityError, request: &CreateRequest) -> Problem {
    let field = |company: AccountId| match request.companies.iter().position(|named| *named == company) {
        _ if company == request.primary => "primaryAccountId".to_owned(),
        Some(at) => format!("accountIds[{at}]"),
        None => "groupIds".to_owned(),
    };
    match error {
        AuthorityError::NotAdministered(company) => {
            let message = "no company that you hold or administer has this id";
            ValidationErrors::one(field(company), "unknown_reference", message).into()
        }
        AuthorityError::ParentNotAdministered(group) => {
            let at = request.groups.iter().position(|named| *named == group).unwrap_or_default();
            let message = "no group whose parent company you hold or administer has this id: ask who does, or \
                           name companies in accountIds";
            ValidationErrors::one(format!("groupIds[{at}]"), "unknown_reference", message).into()
        }
        AuthorityError::ApiAccessOff(company) => {
            let message = format!("{company} has no API access: leave out what reaches it");
            Problem::api_access_off(company).at(field(company), "api_access_off", message)
        }
    }
}
