//! The token endpoint: a code, or a refresh token, for a pair of tokens (RFC 6749, sections 4.1.3 and 6), and the end of
//! a connection at the wish of its client (RFC 7009).

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::oauth::end::end;
use crate::oauth::{
    ACCESS_MARK, CODE_MARK, Grant, Pair, PairValues, Presented, REFRESH_MARK, Refreshed, Scopes, Useless,
};
use crate::ports::{OauthStorage, OauthUnit};
use crate::scope::{resolve, standings_of};
use crate::token::{ClientId, Peppers, Status, Token, TokenValue};

/// What a client is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The tokens: in the answer and nowhere else.
    pub values: PairValues,
    /// What they may do.
    pub scopes: Scopes,
    /// How long the access token counts from now.
    pub expires_in: Duration,
}

/// Why a client is given nothing (RFC 6749, section 5.2).
#[derive(Debug, Error)]
pub enum TokenError {
    /// `invalid_client`: no such client has registered. It forgets what it has and registers anew.
    #[error("the client is not known: register it anew")]
    InvalidClient,
    /// `invalid_grant`: the code or the refresh token is good for nothing, or the connection does not work at present.
    #[error(
        "the code or token is invalid, was used, has ended, or is of another client; or its connection is off"
    )]
    InvalidGrant,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for TokenError {
    fn from(error: StoreError) -> Self {
        match error {
            // Another request with the same secret was faster.
            StoreError::Conflict | StoreError::Taken { .. } => Self::InvalidGrant,
            error @ (StoreError::Busy
            | StoreError::Undone
            | StoreError::OutOfRange
            | StoreError::Backend(_)) => Self::Store(error),
        }
    }
}

/// Exchanges a code for the first pair of tokens of its connection.
///
/// A code that was exchanged before ends its connection, if the proof is right: two have it.
///
/// # Errors
/// [`TokenError`].
pub async fn exchange(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    code: &str,
    presented: Presented<'_>,
    peppers: &Peppers,
) -> Result<Given, TokenError> {
    known(storage, presented.client).await?;
    let code = TokenValue::parse_marked(CODE_MARK, code).map_err(|_| TokenError::InvalidGrant)?;
    let candidates = peppers.candidates(&code);
    let unit = storage.begin().await?;
    let found = unit.grants().by_code(&candidates).await?;
    let before = found.filter(|grant| grant.code.is_among(&candidates)).ok_or(TokenError::InvalidGrant)?;
    match before.exchange(presented, call.now) {
        Err(useless) => {
            useless_secret(unit, call, &before, useless, "a code of OAuth was presented twice").await
        }
        Ok(after) => {
            let credential = usable(&*unit, &before, call.now).await?.ok_or(TokenError::InvalidGrant)?;
            unit.grants().advance(&before, &after).await?;
            let values = PairValues::generate(call.random);
            let pair = Pair::of(after.id, &values, peppers, credential.expires_at, call.now);
            unit.grants().give(&pair).await?;
            unit.commit().await?;
            given(values, &pair, &credential, call.now)
        }
    }
}

/// Refreshes: the pair that follows from a refresh token, always the same.
///
/// A refresh token that comes again after a minute ends its connection: two have it. While the connection is switched
/// off, or the person is no member of its company, nothing is used up, so that all goes on afterwards.
///
/// # Errors
/// [`TokenError`].
pub async fn refresh(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    refresh: &str,
    client: &ClientId,
    peppers: &Peppers,
) -> Result<Given, TokenError> {
    known(storage, client).await?;
    let refresh = TokenValue::parse_marked(REFRESH_MARK, refresh).map_err(|_| TokenError::InvalidGrant)?;
    let candidates = peppers.candidates(&refresh);
    let unit = storage.begin().await?;
    let found = unit.grants().by_refresh(&candidates).await?;
    let (grant, pair) =
        found.filter(|(_, pair)| pair.refresh.is_among(&candidates)).ok_or(TokenError::InvalidGrant)?;
    let Some(credential) = usable(&*unit, &grant, call.now).await? else {
        return Err(TokenError::InvalidGrant);
    };
    let step = match pair.refresh(&grant, client, call.now) {
        Ok(step) => step,
        Err(useless) => {
            let reason = "a refresh token of OAuth was presented again";
            return useless_secret(unit, call, &grant, useless, reason).await;
        }
    };
    let values = PairValues::after(&refresh, pair.refresh, peppers).ok_or(TokenError::InvalidGrant)?;
    let next = match step {
        Refreshed::Again => followed(storage, &values, peppers).await?,
        Refreshed::First => {
            let next = Pair::of(grant.id, &values, peppers, credential.expires_at, call.now);
            match use_up(unit, &pair.used(call.now), &next).await {
                Ok(()) => next,
                // Another request with the same token was faster: its answer is there now.
                Err(StoreError::Conflict | StoreError::Taken { .. }) => {
                    followed(storage, &values, peppers).await?
                }
                Err(
                    error @ (StoreError::Busy
                    | StoreError::Undone
                    | StoreError::OutOfRange
                    | StoreError::Backend(_)),
                ) => {
                    return Err(TokenError::Store(error));
                }
            }
        }
    };
    given(values, &next, &credential, call.now)
}

async fn use_up(unit: Box<dyn OauthUnit>, used: &Pair, next: &Pair) -> Result<(), StoreError> {
    unit.grants().use_up(used).await?;
    unit.grants().give(next).await?;
    unit.commit().await
}

/// The pair with these values, which was given before.
async fn followed(
    storage: &dyn OauthStorage,
    values: &PairValues,
    peppers: &Peppers,
) -> Result<Pair, TokenError> {
    let found = storage.grants().by_access(&peppers.candidates(&values.access)).await?;
    found.map(|(_, pair)| pair).ok_or(TokenError::InvalidGrant)
}

/// Ends the connection of a token, access or refresh, at the wish of its client. A token that is none is no error
/// (RFC 7009, section 2.2). Answers whether one has ended now.
///
/// # Errors
/// When the store failed; nothing was ended.
pub async fn revoke(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    token: &str,
    client: Option<&ClientId>,
    peppers: &Peppers,
) -> Result<bool, StoreError> {
    let read = |mark| TokenValue::parse_marked(mark, token).ok().map(|value| peppers.candidates(&value));
    let unit = storage.begin().await?;
    let found = match (read(ACCESS_MARK), read(REFRESH_MARK)) {
        (Some(access), _) => unit.grants().by_access(&access).await?,
        (None, Some(refresh)) => unit.grants().by_refresh(&refresh).await?,
        (None, None) => None,
    };
    let Some((grant, _)) = found.filter(|(grant, _)| client.is_none_or(|client| grant.client == *client))
    else {
        return Ok(false);
    };
    end(&*unit, call, &grant, "the client ended the connection").await?;
    unit.commit().await?;
    Ok(true)
}

/// A client that registered itself must still be known; one with a document is what its address says.
async fn known(storage: &dyn OauthStorage, client: &ClientId) -> Result<(), TokenError> {
    match client {
        ClientId::Document(_) => Ok(()),
        ClientId::Registered(_) => {
            storage.clients().client(client).await?.map(drop).ok_or(TokenError::InvalidClient)
        }
    }
}

/// The credential of a grant, if it works at present.
async fn usable(unit: &dyn OauthUnit, grant: &Grant, now: Timestamp) -> Result<Option<Token>, StoreError> {
    let found = unit.tokens().find(grant.credential).await?;
    let Some(token) = found.filter(|token| token.status(now) == Status::Active) else { return Ok(None) };
    let standings = standings_of(unit.directory(), &token, token.created_by).await?;
    Ok(resolve(&token, &standings).map(|_| token))
}

async fn useless_secret(
    unit: Box<dyn OauthUnit>,
    call: CallContext<'_>,
    grant: &Grant,
    useless: Useless,
    reason: &'static str,
) -> Result<Given, TokenError> {
    match useless {
        Useless::Refused => {}
        Useless::Replayed => {
            end(&*unit, call, grant, reason).await?;
            unit.commit().await?;
        }
    }
    Err(TokenError::InvalidGrant)
}

fn given(values: PairValues, pair: &Pair, credential: &Token, now: Timestamp) -> Result<Given, TokenError> {
    let connection = credential.connection.as_ref().ok_or(TokenError::InvalidGrant)?;
    let (scopes, expires_in) = (Scopes::of(connection.role), pair.access_until.since(now));
    Ok(Given { values, scopes, expires_in })
}
