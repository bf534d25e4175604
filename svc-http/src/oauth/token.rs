//! POST /oauth/token: a code, or a refresh token, for a pair of tokens (RFC 6749, sections 4.1.3 and 6).

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use svc_auth::oauth::{CodeVerifier, Given, Presented, RedirectUri, TokenError, exchange, refresh};
use svc_auth::token::ClientId;
use svc_core::tenant::Scope;

use super::Sent;
use super::answer::{Told, kept_by_none};
use crate::visit::Form;
use crate::visit::form::is_declared;

/// RFC 6749, section 5.1.
#[derive(Serialize)]
struct Tokens<'a> {
    access_token: &'a str,
    token_type: &'static str,
    /// Seconds.
    expires_in: u64,
    refresh_token: &'a str,
    scope: String,
}

pub(super) async fn give(sent: Sent) -> Result<Response, Told> {
    let form = form(&sent)?;
    let given = match one(&form, "grant_type")? {
        Some("authorization_code") => exchanged(&sent, &form).await,
        Some("refresh_token") => refreshed(&sent, &form).await,
        Some(_) => {
            let known = "grant_type must be authorization_code or refresh_token";
            return Err(Told::new("unsupported_grant_type", known));
        }
        None => return Err(missing("grant_type")),
    };
    let given = given?;
    let tokens = Tokens {
        access_token: given.values.access.expose(),
        token_type: "Bearer",
        expires_in: given.expires_in.as_secs(),
        refresh_token: given.values.refresh.expose(),
        scope: given.scopes.to_string(),
    };
    Ok(kept_by_none(StatusCode::OK, &tokens))
}

async fn exchanged(sent: &Sent, form: &Form) -> Result<Given, Told> {
    let client = client(form)?.ok_or_else(no_client)?;
    let code = one(form, "code")?.ok_or_else(|| missing("code"))?;
    let verifier = one(form, "code_verifier")?.ok_or_else(|| missing("code_verifier"))?;
    let verifier = CodeVerifier::parse(verifier)
        .map_err(|_| Told::invalid("code_verifier must be 43 to 128 letters, digits and -._~"))?;
    let redirect = one(form, "redirect_uri")?.map(RedirectUri::parse).transpose();
    let redirect = redirect.map_err(|error| Told::invalid(format!("redirect_uri: {error}")))?;
    meant(sent, form)?;
    let presented = Presented { client: &client, redirect: redirect.as_ref(), verifier: &verifier };
    let (scope, actor) = (Scope::none(), sent.actor());
    let (storage, call) = (sent.oauth.storage(), sent.call(&scope, &actor));
    counted(sent, exchange(storage, call, code, presented, &sent.app.peppers).await)
}

async fn refreshed(sent: &Sent, form: &Form) -> Result<Given, Told> {
    let client = client(form)?.ok_or_else(no_client)?;
    let token = one(form, "refresh_token")?.ok_or_else(|| missing("refresh_token"))?;
    meant(sent, form)?;
    let (scope, actor) = (Scope::none(), sent.actor());
    let (storage, call) = (sent.oauth.storage(), sent.call(&scope, &actor));
    counted(sent, refresh(storage, call, token, &client, &sent.app.peppers).await)
}

/// A secret that is no good counts against its address, as a bad token of the API does.
fn counted(sent: &Sent, given: Result<Given, TokenError>) -> Result<Given, Told> {
    if matches!(given, Err(TokenError::InvalidClient | TokenError::InvalidGrant)) {
        sent.app.authenticator.count_failure(sent.from);
    }
    Ok(given?)
}

/// The tokens are for the MCP server, whatever else is asked for (RFC 8707, section 2.2).
fn meant(sent: &Sent, form: &Form) -> Result<(), Told> {
    if sent.oauth.issuer().is_meant_by(one(form, "resource")?) {
        return Ok(());
    }
    let only = format!("resource must be {}", sent.oauth.issuer().resource());
    Err(Told::new("invalid_target", only))
}

impl From<TokenError> for Told {
    fn from(error: TokenError) -> Self {
        let description = error.to_string();
        match error {
            TokenError::InvalidClient => Self::invalid_client(description),
            TokenError::InvalidGrant => Self::new("invalid_grant", description),
            TokenError::Store(error) => error.into(),
        }
    }
}

/// The fields of a form.
pub(super) fn form(sent: &Sent) -> Result<Form, Told> {
    if !is_declared(&sent.headers) {
        return Err(Told::invalid("send a form: application/x-www-form-urlencoded"));
    }
    Form::read(&sent.body).map_err(|error| Told::invalid(error.to_string()))
}

/// A field that is there once at most; an empty one is none (RFC 6749, section 3.2).
pub(super) fn one<'a>(form: &'a Form, name: &str) -> Result<Option<&'a str>, Told> {
    match form.all(name) {
        [] => Ok(None),
        [one] => Ok(Some(one.as_str()).filter(|value| !value.is_empty())),
        _ => Err(Told::invalid(format!("{name} is there more than once"))),
    }
}

/// Who sends the form. A client keeps no secret here, and says who it is in the form alone.
pub(super) fn client(form: &Form) -> Result<Option<ClientId>, Told> {
    let id = one(form, "client_id")?.map(str::parse::<ClientId>).transpose();
    id.map_err(|error| Told::invalid_client(format!("client_id: {error}")))
}

fn no_client() -> Told {
    Told::invalid("client_id is missing: clients keep no secret here, and name themselves in the form")
}

pub(super) fn missing(name: &str) -> Told {
    Told::invalid(format!("{name} is missing"))
}
