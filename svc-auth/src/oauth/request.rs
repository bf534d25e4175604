//! What a client asks of a person: the parameters of `/oauth/authorize` (RFC 6749, section 4.1.1).

mod refusal;

pub use self::refusal::{PageError, RedirectError, RedirectErrorCode, Refusal};
use crate::oauth::{Client, CodeChallenge, Issuer, RedirectUri, Scopes};
use crate::token::{ClientId, TokenValue};

/// Characters of the longest `state` that is sent back.
const LONGEST_STATE: usize = 2_048;

/// A request that is in order, which a person may approve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// Who asks.
    pub client: ClientId,
    /// Where the person is sent back to, as this request has it.
    pub redirect: RedirectUri,
    /// What the client wants to find again in the answer.
    pub state: Option<String>,
    /// What the code is bound to.
    pub challenge: CodeChallenge,
    /// What the client asks for; the person decides.
    pub scopes: Scopes,
}

impl AuthorizationRequest {
    /// The whole address that the person is sent back to with this code, and the issuer (RFC 9207).
    #[must_use]
    pub fn granted(&self, code: &TokenValue, issuer: &Issuer) -> String {
        let mut parameters = vec![("code", code.expose())];
        parameters.extend(self.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", issuer.as_str()));
        self.redirect.with(&parameters)
    }
}

/// A request of which only its client and its address were read: without these two the person cannot be sent back.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Who asks, to be looked up.
    pub client: ClientId,
    redirect: RedirectUri,
    parameters: &'a [(String, String)],
}

impl<'a> Asked<'a> {
    /// Reads the parameters of a URL, decoded, in their order.
    ///
    /// # Errors
    /// [`PageError`], for the person to read: who sent them here is unknown.
    pub fn read(parameters: &'a [(String, String)]) -> Result<Self, PageError> {
        let given = Given(parameters);
        let one = |name| {
            given.one(name).map_err(|Repeated| PageError::Repeated(name))?.ok_or(PageError::Missing(name))
        };
        let client = one("client_id")?.parse().map_err(PageError::ClientId)?;
        let redirect = RedirectUri::parse(one("redirect_uri")?).map_err(PageError::Redirect)?;
        Ok(Self { client, redirect, parameters })
    }

    /// Judges the request of the client that was looked up.
    ///
    /// # Errors
    /// [`Refusal::Page`] when the address is not the client's, otherwise [`Refusal::Redirect`].
    pub fn judge(self, client: &Client, issuer: &Issuer) -> Result<AuthorizationRequest, Refusal> {
        if !client.admits(&self.redirect) {
            return Err(PageError::UnregisteredRedirect(self.redirect.to_string()).into());
        }
        let given = Given(self.parameters);
        // A state that was sent twice is sent back in neither form.
        let state = given.one("state").unwrap_or_default().map(str::to_owned);
        let judged = given.judge(issuer).and_then(|(challenge, scopes)| match &state {
            Some(state) if state.chars().count() > LONGEST_STATE => {
                Err((RedirectErrorCode::InvalidRequest, "state has at most 2048 characters"))
            }
            Some(_) | None => Ok((challenge, scopes)),
        });
        match judged {
            Ok((challenge, scopes)) => Ok(AuthorizationRequest {
                client: self.client,
                redirect: self.redirect,
                state,
                challenge,
                scopes,
            }),
            Err((code, description)) => {
                let state = state.filter(|state| state.chars().count() <= LONGEST_STATE);
                Err(RedirectError { redirect: self.redirect, state, code, description }.into())
            }
        }
    }
}

/// The parameters of a request.
#[derive(Clone, Copy)]
struct Given<'a>(&'a [(String, String)]);

/// A parameter is there twice (RFC 6749, section 3.1).
struct Repeated;

type Told = (RedirectErrorCode, &'static str);

/// What may be there once at most.
const ONCE: [&str; 6] =
    ["response_type", "state", "scope", "code_challenge", "code_challenge_method", "resource"];

impl<'a> Given<'a> {
    fn one(self, name: &str) -> Result<Option<&'a str>, Repeated> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| &**value);
        let value = values.next();
        if values.next().is_some() { Err(Repeated) } else { Ok(value) }
    }

    fn judge(self, issuer: &Issuer) -> Result<(CodeChallenge, Scopes), Told> {
        use RedirectErrorCode::{
            InvalidRequest, InvalidScope, InvalidTarget, LoginRequired, UnsupportedResponseType,
        };
        let mut values = ONCE.map(|name| self.one(name)).into_iter();
        let mut next = || match values.next() {
            Some(Ok(value)) => Ok(value),
            Some(Err(Repeated)) | None => Err((InvalidRequest, "each parameter may be there once")),
        };
        let [response_type, _state, scope, challenge, method, resource] =
            [next()?, next()?, next()?, next()?, next()?, next()?];
        match response_type {
            Some("code") => {}
            Some(_) => return Err((UnsupportedResponseType, "response_type must be code")),
            None => return Err((InvalidRequest, "response_type is missing: it must be code")),
        }
        let challenge = challenge.ok_or((InvalidRequest, "code_challenge is missing: PKCE is required"))?;
        if method != Some(CodeChallenge::METHOD) {
            return Err((InvalidRequest, "code_challenge_method must be S256"));
        }
        let challenge = CodeChallenge::parse(challenge)
            .map_err(|_| (InvalidRequest, "code_challenge must be 43 characters of base64url"))?;
        let scopes = Scopes::parse(scope).map_err(|_| {
            (InvalidScope, "known scopes are mcp:read, mcp:write, mcp:commit and offline_access")
        })?;
        if !issuer.is_meant_by(resource) {
            return Err((InvalidTarget, "resource is not the MCP server of this service"));
        }
        // Consent is always asked for: what must not show a page cannot be answered.
        let silent = self
            .one("prompt")
            .ok()
            .flatten()
            .is_some_and(|prompt| prompt.split(' ').any(|one| one == "none"));
        if silent {
            return Err((LoginRequired, "prompt=none is not possible: the person is asked each time"));
        }
        Ok((challenge, scopes))
    }
}

#[cfg(test)]
mod tests;
