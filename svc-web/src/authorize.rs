//! A person lets an assistant act for them, or does not (RFC 6749, section 4.1.1).
//!
//! The request of the application stays in the address: the page is made of it, and its form is sent to it. So who is not
//! signed in writes nothing and has no document of a stranger read, and what is approved is what the page has shown.

mod choice;

use askama::Template;
use axum::response::Response;
use http::{HeaderValue, StatusCode};
use svc_auth::oauth::{
    Asked, AuthorizationRequest, Client, CodeSeed, ConnectError, Connected, PageError, RedirectError,
    RedirectErrorCode, Refusal, Terms, UnknownClient, connect,
};
use svc_auth::token::{ClientId, ConnectionRole};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::refused::Refused;
use svc_http::{Oauth, Problem};

use self::choice::Choice;
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::life::{self, Life};
use crate::once::{self, Once, Sending};
use crate::page;

/// What the person is asked.
#[derive(Template)]
#[template(path = "authorize.html")]
struct View {
    f: Frame,
    client: String,
    /// The host whose document describes the application; a registered one only says who it is.
    published: Option<String>,
    /// Where the person is sent back to.
    sent_to: String,
    own_machine: bool,
    companies: Vec<Choice<AccountId>>,
    roles: Vec<Role>,
    lives: Vec<Life>,
    /// The path and query that the form goes to.
    action: String,
    once: String,
    errors: Errors,
}

/// A role that can be chosen.
struct Role {
    name: &'static str,
    told: (&'static str, &'static str),
    chosen: bool,
    asked_for: bool,
}

/// A request that leads nowhere.
#[derive(Template)]
#[template(path = "authorize_broken.html")]
struct Broken {
    f: Frame,
    why: String,
}

/// A request in order, and who makes it.
struct Request {
    client: Client,
    asked: AuthorizationRequest,
}

/// GET /oauth/authorize
pub(crate) async fn show(seen: Seen<Person>) -> Result<Response, Problem> {
    let oauth = oauth(&seen)?;
    match judged(&seen, oauth).await? {
        Ok(request) => {
            let chosen = Chosen { company: None, role: request.asked.scopes.role(), life: life::USUAL };
            form(&seen, StatusCode::OK, &request, &chosen, Errors::default())
        }
        Err(refusal) => refused(&seen, oauth, refusal),
    }
}

/// POST /oauth/authorize
pub(crate) async fn decide(seen: Seen<Person>) -> Result<Response, Problem> {
    let oauth = oauth(&seen)?;
    let request = match judged(&seen, oauth).await? {
        Ok(request) => request,
        Err(refusal) => return refused(&seen, oauth, refusal),
    };
    let sent = seen.visit.form();
    if sent.text("decision") != "approve" {
        let AuthorizationRequest { redirect, state, .. } = request.asked;
        let (code, description) = (RedirectErrorCode::AccessDenied, "the person did not approve");
        let denied = RedirectError { redirect, state, code, description };
        return Ok(page::see_other(&denied.location(oauth.issuer())));
    }
    let t = &seen.texts().authorize;
    let chosen = Chosen {
        company: sent.text("company").parse().ok(),
        role: sent.text("role").parse().unwrap_or(ConnectionRole::ReadOnly),
        life: sent.text("expiry"),
    };
    let mut errors = Errors::default();
    let expires_at = life::end(chosen.life, seen.visit.now()).unwrap_or_else(|life::NotOffered| {
        errors.add("expiresAt", t.life_refused);
        None
    });
    let Some(company) = chosen.company else {
        errors.add("company", t.choose);
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, &request, &chosen, errors);
    };
    if !errors.is_empty() {
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, &request, &chosen, errors);
    }
    let terms = Terms { company, role: chosen.role, expires_at };
    let location = |code| page::see_other(&request.asked.granted(&code, oauth.issuer()));
    let sending = match once::claim(&seen.visit, &seen.gate.visitor).await? {
        Once::First(sending) => sending,
        Once::Again(kept) => {
            let made_of =
                CodeSeed::parse(&kept).map_err(|malformed| Problem::from(StoreError::backend(malformed)))?;
            return Ok(location(made_of.code(&seen.visit.app().peppers)));
        }
    };
    match given(&seen, oauth, &request, terms, sending).await {
        Ok(connected) => Ok(location(connected.code)),
        Err(Refused::Own(_)) => {
            errors.add("company", t.company_gone);
            form(&seen, StatusCode::UNPROCESSABLE_ENTITY, &request, &chosen, errors)
        }
        Err(refused) => {
            let errors = Errors::of(refused.into(), seen.language)?;
            form(&seen, StatusCode::UNPROCESSABLE_ENTITY, &request, &chosen, errors)
        }
    }
}

/// What the person chose, or is offered first.
struct Chosen<'a> {
    company: Option<AccountId>,
    role: ConnectionRole,
    life: &'a str,
}

fn oauth(seen: &Seen<Person>) -> Result<&Oauth, Problem> {
    seen.visit.app().oauth.as_deref().ok_or_else(Problem::not_found)
}

/// Reads the request in the address, and looks its client up.
async fn judged(seen: &Seen<Person>, oauth: &Oauth) -> Result<Result<Request, Refusal>, Problem> {
    let fields = seen.visit.query().fields();
    let pairs =
        fields.flat_map(|(name, values)| values.iter().map(move |value| (name.to_owned(), value.clone())));
    let parameters: Vec<_> = pairs.collect();
    let asked = match Asked::read(&parameters) {
        Ok(asked) => asked,
        Err(error) => return Ok(Err(error.into())),
    };
    let client = match oauth.clients().find(&asked.client, seen.visit.now()).await {
        Ok(client) => client,
        Err(UnknownClient::Unknown(error)) => return Ok(Err(error.into())),
        Err(UnknownClient::Store(error)) => return Err(error.into()),
    };
    Ok(asked.judge(&client, oauth.issuer()).map(|asked| Request { client, asked }))
}

/// The page that tells the person, or the way back that tells the application.
fn refused(seen: &Seen<Person>, oauth: &Oauth, refusal: Refusal) -> Result<Response, Problem> {
    match refusal {
        Refusal::Redirect(error) => Ok(page::see_other(&error.location(oauth.issuer()))),
        Refusal::Page(error) => broken(seen, &error),
    }
}

fn broken(seen: &Seen<Person>, error: &PageError) -> Result<Response, Problem> {
    tracing::info!(%error, "an application sent a person with a request that is not in order");
    let view = Broken { f: Frame::of(seen, Place::Elsewhere), why: error.to_string() };
    page::with(StatusCode::BAD_REQUEST, &view)
}

/// Makes the connection.
async fn given(
    seen: &Seen<Person>,
    oauth: &Oauth,
    Request { client, asked }: &Request,
    terms: Terms,
    sending: Sending,
) -> Result<Connected, Refused<ConnectError>> {
    let (app, person) = (seen.visit.app(), seen.gate.visitor.signed_in());
    let unit = oauth.storage().begin().await?;
    let with = (&app.peppers, &app.policy);
    let connected = connect(&*unit, seen.call(), person, (client, asked), terms, with).await;
    sending.settle(&seen.visit, unit, connected, |connected| connected.seed.to_string()).await
}

fn form(
    seen: &Seen<Person>,
    status: StatusCode,
    Request { client, asked }: &Request,
    chosen: &Chosen<'_>,
    errors: Errors,
) -> Result<Response, Problem> {
    let t = &seen.texts().authorize;
    let role = |role: ConnectionRole| Role {
        name: role.name(),
        told: t.role_told(role),
        chosen: role == chosen.role,
        asked_for: role == asked.scopes.role(),
    };
    let origin = asked.redirect.origin();
    let view = View {
        f: Frame::of(seen, Place::Elsewhere),
        client: client.name.clone(),
        published: match &client.id {
            ClientId::Document(url) => url.url().host_str().map(str::to_owned),
            ClientId::Registered(_) => None,
        },
        own_machine: origin.starts_with("http://"),
        sent_to: origin,
        companies: choice::companies(&seen.gate.visitor, chosen.company),
        roles: ConnectionRole::ALL.map(role).into(),
        lives: life::offered(&seen.texts().tokens, seen.visit.app().policy.longest_life, chosen.life, &[]),
        action: seen.visit.uri().to_string(),
        once: once::mark(&*seen.visit.app().random),
        errors,
    };
    let mut response = page::with(status, &view)?;
    page::allow_form(&mut response, &source(&view.sent_to));
    Ok(response)
}

/// An origin as a source of a content security policy. Those have no form for an address of IPv6, so that its scheme
/// stands for it (Content Security Policy Level 3, section 2.3.1).
fn source(origin: &str) -> HeaderValue {
    let written = if origin.contains('[') { "http:" } else { origin };
    HeaderValue::try_from(written).unwrap_or(HeaderValue::from_static("'self'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loopback_of_ipv6_is_named_by_its_scheme() {
        assert_eq!(source("http://[::1]:9"), "http:");
        assert_eq!(source("http://localhost:9"), "http://localhost:9");
        assert_eq!(source("https://app.example"), "https://app.example");
    }
}
