//! GET /session

use http::StatusCode;
use svc_auth::ports::{CompanyStanding, Standing};
use svc_auth::session::{CsrfToken, SignedIn};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, UserId};
use svc_core::role::Role;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

wire_view! {
    /// A session, as the person who is signed in sees it.
    pub(crate) struct View as "Session" {
        person: PersonView,
        /// The companies of which they are an active member, by legal name.
        companies: Vec<CompanyView>,
        /// To be sent as `X-CSRF-Token` with every request that changes something.
        csrf_token: String => Form::ANY.example("cs_example"),
        /// When the session ends however much it is used.
        expires_at: Timestamp,
    }
}

wire_view! {
    /// Who is signed in.
    struct PersonView as "SessionPerson" {
        id: UserId,
        email: String => Form::EMAIL.example("ana@example.com"),
        name: String => Form::ANY.example("Ana Ruiz"),
    }
}

wire_view! {
    /// One of their companies.
    struct CompanyView as "SessionCompany" {
        id: AccountId,
        legal_name: String => Form::ANY.example("Ferretería Sol SL"),
        role: Role,
        /// Whether tokens can be created, edited and rotated for it.
        api_access_enabled: bool,
    }
}

pub(super) async fn get(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let PersonCaller { signed_in, csrf, .. } = &*req.caller;
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
        Standing::Member(role) => role,
        Standing::Stranger | Standing::Former => return None,
    };
    Some(CompanyView {
        id: company.id,
        legal_name: company.legal_name.clone(),
        role,
        api_access_enabled: company.api_access,
    })
}
