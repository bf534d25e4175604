//! OAuth 2.1 for AI assistants: what an authorization server accepts (specification, part 5.5).
//!
//! A client says who it is ([`Client`]), once by registration ([`ClientMetadata::register`]) or with each request by a
//! document of its own ([`ClientMetadata::document`]). It sends the person to the service with an
//! [`AuthorizationRequest`], which [`Asked::judge`] makes of the parameters of a URL. [`Clients`] looks them up. The
//! person chooses one company and a [`ConnectionRole`](crate::token::ConnectionRole). Which texts are addresses to come
//! back to is the matter of [`RedirectUri`], how the client proves later that the request was its own that of
//! [`CodeChallenge`]. The grant is a [`Grant`]: its code is exchanged once,
//! and each [`Pair`] of tokens is refreshed once.
//!
//! [`connect`] makes a grant, with the credential that it is for; [`exchange`], [`refresh`] and [`revoke`] are what
//! the client asks for afterwards, and [`forget_ended`] ends what it never comes back for. They write into an
//! [`OauthStorage`](crate::ports::OauthStorage); all else here neither reads nor writes.

mod client;
mod code;
mod connect;
mod end;
mod exchange;
mod grant;
mod issuer;
mod known;
mod pkce;
mod redirect;
mod request;
mod scope;

pub use self::client::{Client, ClientMetadata, MetadataError, MetadataErrorCode, Registration};
pub use self::code::{CodeSeed, MalformedSeed};
pub use self::connect::{ConnectError, Connected, Terms, connect};
pub use self::end::forget_ended;
pub use self::exchange::{Given, TokenError, exchange, refresh, revoke};
pub use self::grant::{
    ACCESS_MARK, CODE_LIFE, CODE_MARK, Grant, Pair, PairValues, Presented, REFRESH_MARK, Refreshed, Stage,
    Useless,
};
pub use self::issuer::{Issuer, MalformedIssuer};
pub use self::known::{Clients, UnknownClient};
pub use self::pkce::{CodeChallenge, CodeVerifier, MalformedProof};
pub use self::redirect::{MalformedRedirect, RedirectUri};
pub use self::request::{Asked, AuthorizationRequest, PageError, RedirectError, RedirectErrorCode, Refusal};
pub use self::scope::{Scope, Scopes, UnknownScope};
