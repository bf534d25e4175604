//! Requests as clients send them, and as they should not.

use proptest::prelude::*;
use svc_core::clock::Timestamp;

use super::*;
use crate::oauth::ClientMetadata;
use crate::token::ConnectionRole;

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn issuer() -> Issuer {
    "https://svc.example".parse().expect("an issuer")
}

fn client() -> Client {
    let metadata = ClientMetadata {
        client_id: Some("https://app.example/client.json".to_owned()),
        redirect_uris: vec!["https://app.example/cb".to_owned(), "http://127.0.0.1/cb".to_owned()],
        ..ClientMetadata::default()
    };
    let id = "https://app.example/client.json".parse().expect("an address");
    metadata.document(&id, Timestamp::from_unix_seconds(1)).expect("a client")
}

fn good() -> Vec<(String, String)> {
    [
        ("response_type", "code"),
        ("client_id", "https://app.example/client.json"),
        ("redirect_uri", "http://127.0.0.1:33418/cb"),
        ("state", "x y"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("scope", "mcp:write offline_access"),
        ("resource", "https://svc.example/mcp"),
        ("prompt", "consent"),
        ("utm", "1"),
        ("utm", "2"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

/// The good request with one parameter as it is given here: another value, none, or once more.
fn changed(name: &str, values: &[&str]) -> Vec<(String, String)> {
    let mut all = good();
    all.retain(|(known, _)| known != name);
    all.extend(values.iter().map(|value| (name.to_owned(), (*value).to_owned())));
    all
}

fn judge(parameters: &[(String, String)]) -> Result<AuthorizationRequest, Refusal> {
    Asked::read(parameters)?.judge(&client(), &issuer())
}

fn told(parameters: &[(String, String)]) -> RedirectError {
    match judge(parameters) {
        Err(Refusal::Redirect(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_that_is_in_order_is_read_whole() {
    let request = judge(&good()).expect("in order");
    assert_eq!(request.client, client().id);
    assert_eq!(request.redirect.as_str(), "http://127.0.0.1:33418/cb");
    assert_eq!(request.state.as_deref(), Some("x y"));
    assert_eq!(CodeChallenge::parse(CHALLENGE), Ok(request.challenge));
    assert_eq!(request.scopes.role(), ConnectionRole::Operator);
    for name in ["state", "scope", "resource", "prompt"] {
        assert!(judge(&changed(name, &[])).is_ok(), "{name} may be left out");
    }
}

#[test]
fn who_sent_the_person_must_be_known_or_they_are_sent_nowhere() {
    for (parameters, text) in [
        (changed("client_id", &[]), "left client_id out"),
        (changed("redirect_uri", &[]), "left redirect_uri out"),
        (
            changed("client_id", &["https://app.example/client.json", "https://app.example/client.json"]),
            "client_id twice",
        ),
        (
            changed("redirect_uri", &["https://app.example/cb", "https://evil.example/cb"]),
            "redirect_uri twice",
        ),
        (changed("client_id", &["app"]), "client_id: "),
        (changed("redirect_uri", &["javascript:alert(1)"]), "redirect_uri: "),
        (changed("redirect_uri", &["https://evil.example/cb"]), "has not registered https://evil.example/cb"),
        (changed("redirect_uri", &["https://app.example/cb/"]), "has not registered"),
    ] {
        match judge(&parameters) {
            Err(Refusal::Page(error)) => assert!(error.to_string().contains(text), "{error}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn everything_else_is_told_to_the_client() {
    use RedirectErrorCode::{
        InvalidRequest, InvalidScope, InvalidTarget, LoginRequired, UnsupportedResponseType,
    };
    for (name, values, code) in [
        ("response_type", &["token"][..], UnsupportedResponseType),
        ("response_type", &[], InvalidRequest),
        ("response_type", &["code", "code"], InvalidRequest),
        ("code_challenge", &[], InvalidRequest),
        ("code_challenge", &["short"], InvalidRequest),
        ("code_challenge", &[CHALLENGE, CHALLENGE], InvalidRequest),
        ("code_challenge_method", &[], InvalidRequest),
        ("code_challenge_method", &["plain"], InvalidRequest),
        ("code_challenge_method", &["S256", "plain"], InvalidRequest),
        ("scope", &["admin"], InvalidScope),
        ("scope", &["mcp:read", "mcp:write"], InvalidRequest),
        ("resource", &["https://other.example/mcp"], InvalidTarget),
        ("resource", &["https://svc.example/mcp", "https://svc.example/mcp"], InvalidRequest),
        ("prompt", &["none"], LoginRequired),
        ("prompt", &["login none"], LoginRequired),
    ] {
        let error = told(&changed(name, values));
        assert_eq!(error.code, code, "{name} {values:?}: {error}");
        assert_eq!(error.state.as_deref(), Some("x y"));
        assert_eq!(error.redirect.as_str(), "http://127.0.0.1:33418/cb");
    }
}

#[test]
fn a_state_that_cannot_be_sent_back_is_not() {
    let twice = told(&changed("state", &["a", "b"]));
    assert_eq!((twice.code, twice.state), (RedirectErrorCode::InvalidRequest, None));
    let long = told(&changed("state", &[&"é".repeat(2_049)]));
    assert_eq!((long.code, long.state), (RedirectErrorCode::InvalidRequest, None));
    assert!(judge(&changed("state", &[&"é".repeat(2_048)])).is_ok());
}

#[test]
fn an_error_goes_where_the_client_waits_with_the_issuer() {
    let error = told(&changed("scope", &["admin"]));
    assert_eq!(
        error.location(&issuer()),
        "http://127.0.0.1:33418/cb?error=invalid_scope&error_description=known+scopes+are+mcp%3Aread%2C+mcp%3Awrite%2C\
         +mcp%3Acommit+and+offline_access&state=x+y&iss=https%3A%2F%2Fsvc.example"
    );
}

proptest! {
    /// Whatever is sent, the person is sent to an address of the client or to none.
    #[test]
    fn nothing_leads_to_another_address(
        pairs in prop::collection::vec(
            (
                prop::sample::select(vec!["client_id", "redirect_uri", "state", "scope", "response_type", "resource", "prompt", "x"]),
                prop::sample::select(vec!["", "code", "https://app.example/client.json", "https://app.example/cb",
                    "https://app.example.evil/cb", "http://127.0.0.1:9/cb", "mcp:read", "none", "%0d%0aLocation: x"]),
            ),
            0..8,
        ),
        kept in 0..12_usize,
    ) {
        let mut parameters: Vec<_> = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        parameters.extend(good().into_iter().take(kept));
        let redirect = match judge(&parameters) {
            Ok(request) => request.redirect,
            Err(Refusal::Redirect(error)) => {
                prop_assert!(!error.location(&issuer()).contains(['\r', '\n', ' ']));
                error.redirect
            }
            Err(Refusal::Page(_)) => return Ok(()),
        };
        prop_assert!(client().admits(&redirect));
    }
}
