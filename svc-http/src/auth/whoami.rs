//! GET /auth/whoami (specification, part 4.2).

use http::StatusCode;
use svc_auth::scope::{ReachedCompany, Via};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, TokenId};
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

wire_view! {
    /// The token and its reach.
    #[derive(Debug)]
    pub(crate) struct View as "WhoAmI" {
        token: TokenView,
        /// The company whose limits and events the token works with.
        primary_account_id: AccountId,
        /// Every company within reach, the primary one first.
        companies: Vec<CompanyView>,
    }
}

wire_view! {
    /// A token, as it sees itself.
    #[derive(Debug)]
    struct TokenView as "WhoAmIToken" {
        id: TokenId,
        name: String => Form::ANY.example("Shop sync"),
        r#type: &'static str => Form::one_of(&["api"]),
        /// Any other one is answered with 401.
        state: &'static str => Form::one_of(&["active"]),
        expires_at: Option<Timestamp>,
        /// Whether personal data is visible in full.
        personal_data: bool,
        /// Permissions, wildcards and levels, as they were granted.
        permissions: Vec<String> => Form::ANY.json(r#"["sales:*.read"]"#),
        /// Addresses and ranges that the token may be used from; empty means anywhere.
        allowed_ips: Vec<String> => Form::ANY.json(r#"["203.0.113.0/24"]"#),
    }
}

wire_view! {
    /// A company within reach.
    #[derive(Debug)]
    struct CompanyView as "WhoAmICompany" {
        id: AccountId,
        legal_name: String => Form::ANY.example("Ferretería Sol SL"),
        /// That of the token's creator there; of the primary account `primary`.
        role: Option<&'static str> => Form::one_of(
            &["primary", "holder", "administrator", "manager", "accountant", "employee", "auditor"]
        ),
        /// Why it is within reach.
        via: &'static str => Form::one_of(&["primary", "direct", "group"]),
        group_id: Option<GroupId> => Form::ANY.json("null"),
    }
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
