//! Why a request is refused, and where that is told.

use thiserror::Error;

use crate::oauth::{Issuer, MalformedRedirect, RedirectUri};
use crate::token::MalformedClientId;

/// Why a request is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// The person reads it on a page of the service and is sent nowhere (RFC 6749, section 4.1.2.1).
    #[error(transparent)]
    Page(#[from] PageError),
    /// The client reads it: the person is sent back.
    #[error(transparent)]
    Redirect(#[from] RedirectError),
}

/// What a person reads who was sent by an application that cannot be told.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PageError {
    /// A parameter is missing.
    #[error("the application left {0} out")]
    Missing(&'static str),
    /// A parameter is there twice.
    #[error("the application sent {0} twice")]
    Repeated(&'static str),
    /// The id is none.
    #[error("client_id: {0}")]
    ClientId(MalformedClientId),
    /// No such client is known, or its document cannot be read.
    #[error("the application is not known: {0}")]
    UnknownClient(String),
    /// The address is none.
    #[error("redirect_uri: {0}")]
    Redirect(MalformedRedirect),
    /// The address is not one that the client has registered.
    #[error("redirect_uri: the application has not registered {0}")]
    UnregisteredRedirect(String),
}

/// What a client is told of its request.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}: {description}", .code.name())]
pub struct RedirectError {
    /// Where the person is sent back to.
    pub redirect: RedirectUri,
    /// What the client wanted to find again.
    pub state: Option<String>,
    /// Which error.
    pub code: RedirectErrorCode,
    /// What would be right.
    pub description: &'static str,
}

/// The errors that are told in the address (RFC 6749, section 4.1.2.1; RFC 8707, section 2; `OpenID` Connect
/// Core, section 3.1.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectErrorCode {
    /// `invalid_request`
    InvalidRequest,
    /// `unsupported_response_type`
    UnsupportedResponseType,
    /// `invalid_scope`
    InvalidScope,
    /// `invalid_target`
    InvalidTarget,
    /// `access_denied`
    AccessDenied,
    /// `login_required`
    LoginRequired,
}

svc_core::wire_names!(RedirectErrorCode {
    InvalidRequest = "invalid_request",
    UnsupportedResponseType = "unsupported_response_type",
    InvalidScope = "invalid_scope",
    InvalidTarget = "invalid_target",
    AccessDenied = "access_denied",
    LoginRequired = "login_required",
});

impl RedirectError {
    /// The whole address, with the issuer (RFC 9207).
    #[must_use]
    pub fn location(&self, issuer: &Issuer) -> String {
        let mut parameters = vec![("error", self.code.name()), ("error_description", self.description)];
        parameters.extend(self.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", issuer.as_str()));
        self.redirect.with(&parameters)
    }
}
