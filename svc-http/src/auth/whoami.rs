//! GET /auth/whoami (specification, part 4.2).

use http::StatusCode;
use serde::Serialize;
use svc_auth::principal::{ReachedCompany, Via};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, TokenId};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

/// The token and its reach.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhoAmI)]
pub(crate) struct View {
    token: TokenView,
    /// The company whose limits and events the token works with.
    #[schema(value_type = String)]
    primary_account_id: AccountId,
    /// Every company within reach, the primary one first.
    companies: Vec<CompanyView>,
}

/// A token, as it sees itself.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhoAmIToken)]
struct TokenView {
    #[schema(value_type = String)]
    id: TokenId,
    name: String,
    /// `api`
    r#type: &'static str,
    /// `active`: any other one is answered with 401.
    state: &'static str,
    /// RFC 3339, UTC.
    #[schema(value_type = Option<String>)]
    expires_at: Option<Timestamp>,
    /// Whether personal data is visible in full.
    personal_data: bool,
    /// Permissions, wildcards and levels, as they were granted.
    permissions: Vec<String>,
    /// Addresses and ranges that the token may be used from; empty means anywhere.
    allowed_ips: Vec<String>,
}

/// A company within reach.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhoAmICompany)]
struct CompanyView {
    #[schema(value_type = String)]
    id: AccountId,
    legal_name: String,
    /// `primary`, or the role of the token's creator there.
    role: Option<&'static str>,
    /// Why it is within reach: `primary`, `direct` or `group`.
    via: &'static str,
    #[schema(value_type = Option<String>)]
    group_id: Option<GroupId>,
}

pub(super) async fn whoami(req: ApiRequest) -> Result<Answer, Problem> {
    let principal = &req.caller.principal;
    let view = View {
        token: TokenView {
            id: principal.token,
            name: principal.name.clone(),
            r#type: "api",
            state: "active",
            expires_at: principal.expires_at,
            personal_data: principal.access.is_full(),
            permissions: principal.grants.written().to_vec(),
            allowed_ips: principal.allowed_ips.written(),
        },
        primary_account_id: principal.primary,
        companies: principal.companies.iter().map(company).collect(),
    };
    Ok(Answer::plain(StatusCode::OK, &view))
}

fn company(company: &ReachedCompany) -> CompanyView {
    let (via, role) = match company.via {
        Via::Primary => ("primary", Some("primary")),
        Via::Direct => ("direct", company.role.map(svc_core::role::Role::name)),
        Via::Group => ("group", company.role.map(svc_core::role::Role::name)),
    };
    CompanyView { id: company.id, legal_name: company.legal_name.clone(), role, via, group_id: company.group }
}
