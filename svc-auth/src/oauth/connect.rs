//! A person lets a client act for them.

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::id::{AccountId, GrantId, TokenId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ip::AllowedIps;
use crate::oauth::{AuthorizationRequest, CODE_LIFE, Client, CodeSeed, Grant, Stage};
use crate::ports::{CompanyStanding, OauthUnit, Standing};
use crate::session::SignedIn;
use crate::token::audit::{self, Change};
use crate::token::{Connection, ConnectionRole, Lifecycle, Peppers, Policy, Token, TokenValue, input};

/// What the person chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The one company that the client may work with.
    pub company: AccountId,
    /// What it may do there.
    pub role: ConnectionRole,
    /// When the connection ends; `None` for never.
    pub expires_at: Option<Timestamp>,
}

/// Why nothing is given.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ConnectError {
    /// The person is no member of the company, or it was merged into another one.
    #[error("you are no member of {0}")]
    NotMember(AccountId),
    /// API access is switched off for the company (specification, part 3.1).
    #[error("API access is switched off for {0}")]
    ApiAccessOff(AccountId),
}

/// What was given: a connection, and the code with which the client comes for its tokens.
#[derive(Clone, Debug)]
pub struct Connected {
    /// The connection.
    pub credential: Token,
    /// The code, in the address that the person is sent back to ([`AuthorizationRequest::granted`]) and nowhere else.
    pub code: TokenValue,
    /// What the code can be made of again.
    pub seed: CodeSeed,
}

/// Makes the connection that the person chose, and the code for the client that asked for it.
///
/// # Errors
/// [`ConnectError`], [`Refused::Invalid`] (`expiresAt`), [`Refused::Store`]; nothing was given.
pub async fn connect(
    unit: &dyn OauthUnit,
    call: CallContext<'_>,
    person: &SignedIn,
    (client, request): (&Client, &AuthorizationRequest),
    terms: Terms,
    (peppers, policy): (&Peppers, &Policy),
) -> Result<Connected, Refused<ConnectError>> {
    let company = person.companies().iter().find(|company| company.id == terms.company);
    may_connect(terms.company, company).map_err(Refused::Own)?;
    let mut validator = Validator::new();
    input::expiry(&mut validator, terms.expires_at, policy, call.now);
    validator.finish()?;

    let seed = CodeSeed::generate(call.random);
    let code = seed.code(peppers);
    let credential = credential(call, person, client, terms, (&code, peppers));
    let grant = Grant {
        id: GrantId::generate(call.now, call.random),
        credential: credential.id,
        client: client.id.clone(),
        redirect: request.redirect.clone(),
        challenge: request.challenge,
        code: credential.fingerprint,
        code_until: call.now.plus(CODE_LIFE),
        stage: Stage::Coded,
    };
    unit.tokens().insert(&credential).await?;
    unit.grants().add(&grant).await?;
    let change = Change { before: None, after: &credential, report: None };
    audit::log(unit, call, Action::TokenCreate, change).await?;
    Ok(Connected { credential, code, seed })
}

fn may_connect(id: AccountId, company: Option<&CompanyStanding>) -> Result<(), ConnectError> {
    let member =
        |company: &&CompanyStanding| !company.merged && matches!(company.membership, Standing::Member(_));
    let company = company.filter(member).ok_or(ConnectError::NotMember(id))?;
    if company.api_access { Ok(()) } else { Err(ConnectError::ApiAccessOff(id)) }
}

fn credential(
    call: CallContext<'_>,
    person: &SignedIn,
    client: &Client,
    terms: Terms,
    (code, peppers): (&TokenValue, &Peppers),
) -> Token {
    Token {
        id: TokenId::generate(call.now, call.random),
        name: client.name.clone(),
        prefix: code.prefix().to_owned(),
        connection: Some(Connection { client: client.id.clone(), role: terms.role }),
        fingerprint: peppers.fingerprint(code),
        grants: terms.role.grants(),
        allowed_ips: AllowedIps::default(),
        personal_data: true,
        primary: terms.company,
        companies: [].into(),
        groups: [].into(),
        lifecycle: Lifecycle::Active,
        expires_at: terms.expires_at,
        last_used_at: None,
        last_used_from: None,
        created_by: Some(person.person().id),
        created_at: call.now,
        version: Version::FIRST,
    }
}
