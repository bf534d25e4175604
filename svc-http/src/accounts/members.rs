//! GET /accounts/{id}/members

use http::StatusCode;
use serde::Serialize;
use svc_business::membership::Member;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::page::PageRules;
use svc_core::pii::{Shown, Sight};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::problem::Problem;

/// A member of a company.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member)]
pub(crate) struct View {
    #[schema(value_type = String)]
    id: MembershipId,
    /// `membership`
    object: &'static str,
    #[schema(value_type = String)]
    company_id: AccountId,
    version: i64,
    #[schema(value_type = String)]
    user_id: UserId,
    name: String,
    email: String,
    /// Masked but for the last three digits.
    #[schema(value_type = Option<String>)]
    phone: Option<Shown<String>>,
    /// `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    role: &'static str,
    /// `invited`, `active` or `suspended`
    status: &'static str,
    #[schema(value_type = String)]
    invited_at: Timestamp,
    #[schema(value_type = Option<String>)]
    accepted_at: Option<Timestamp>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

pub(super) async fn list(exchange: Exchange) -> Result<Answer, Problem> {
    let id: AccountId = exchange.id("id")?;
    let request = exchange.query.page(PageRules::USUAL)?;
    let (business, scope) = (&exchange.app.business, &exchange.principal.scope);
    business.accounts().find(scope, id).await?.ok_or_else(Problem::not_found)?;
    let page = business.people().members(scope, id, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |sight| Listed::of(&page, |member| view(member, sight))))
}

fn view(member: &Member, sight: Sight) -> View {
    let (membership, user) = (&member.membership, &member.user);
    View {
        id: membership.id,
        object: "membership",
        company_id: membership.account,
        version: membership.version.as_i64(),
        user_id: membership.user,
        name: user.name.clone(),
        email: user.email.as_str().to_owned(),
        phone: member.phone.as_ref().map(|phone| phone.show(sight)),
        role: membership.role.name(),
        status: membership.status.name(),
        invited_at: membership.invited_at,
        accepted_at: membership.accepted_at,
        created_at: membership.created_at,
        updated_at: membership.updated_at,
    }
}
