//! GET /session

use http::StatusCode;
use serde::Serialize;
use svc_auth::ports::{CompanyStanding, Standing};
use svc_auth::session::{CsrfToken, SignedIn};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, UserId};
use svc_core::role::Role;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

/// A session, as the person who is signed in sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub(crate) struct View {
    person: PersonView,
    /// The companies of which they are an active member, by legal name.
    companies: Vec<CompanyView>,
    /// To be sent as `X-CSRF-Token` with every request that changes something.
    csrf_token: String,
    /// When the session ends however much it is used.
    #[schema(value_type = String)]
    expires_at: Timestamp,
}

/// Who is signed in.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionPerson)]
struct PersonView {
    #[schema(value_type = String)]
    id: UserId,
    email: String,
    name: String,
}

/// One of their companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionCompany)]
struct CompanyView {
    #[schema(value_type = String)]
    id: AccountId,
    legal_name: String,
    /// `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    role: &'static str,
    /// Whether tokens can be created, edited and rotated for it.
    api_access_enabled: bool,
}

pub(super) async fn get(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let PersonCaller { signed_in, csrf, .. } = &req.caller;
    Ok(Answer::plain(StatusCode::OK, &View::of(signed_in, csrf)))
}

impl View {
    pub(super) fn of(signed_in: &SignedIn, csrf: &CsrfToken) -> Self {
        let person = signed_in.person();
        Self {
            person: PersonView { id: person.id, email: person.email.clone(), name: person.name.clone() },
            companies: signed_in.companies().iter().filter_map(company).collect(),
            csrf_token: csrf.expose().to_owned(),
            expires_at: signed_in.session().expires_at,
        }
    }
}

fn company(company: &CompanyStanding) -> Option<CompanyView> {
    let role = match company.membership {
        Standing::Member(role) => Role::name(role),
        Standing::Stranger | Standing::Former => return None,
    };
    Some(CompanyView {
        id: company.id,
        legal_name: company.legal_name.clone(),
        role,
        api_access_enabled: company.api_access,
    })
}
