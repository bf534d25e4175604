//! Switching a token off and on, revoking it, giving it a new value.
//!
//! After the commit, the node that made the change calls
//! [`Authenticator::forget`](crate::authenticate::Authenticator::forget), so
//! that it is effective there at once.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId};
use svc_core::random::RandomSource;
use thiserror::Error;

use crate::ports::AuthUnit;
use crate::token::{IllegalStep, Peppers, Token, TokenValue};

/// Why a token is not changed.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is none with this id.
    #[error("no such token")]
    NotFound,
    /// Its state does not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalStep),
    /// API access is switched off for its primary account.
    #[error("API access is switched off for {0}")]
    ApiAccessOff(AccountId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Switches a token off; its configuration is kept.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn disable(unit: &dyn AuthUnit, id: TokenId, now: Timestamp) -> Result<Token, ChangeError> {
    change(unit, id, |token| token.disable(now)).await
}

/// Switches a token on again.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn enable(unit: &dyn AuthUnit, id: TokenId, now: Timestamp) -> Result<Token, ChangeError> {
    change(unit, id, |token| token.enable(now)).await
}

/// Stops a token for ever.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn revoke(unit: &dyn AuthUnit, id: TokenId, now: Timestamp) -> Result<Token, ChangeError> {
    change(unit, id, |token| token.revoke(now)).await
}

/// Replaces a token's value; the previous one stops working.
///
/// Switching off, on and revoking go on while API access of the company is
/// off; a new value is an edit of the token and does not (specification, part 3.1).
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn rotate(
    unit: &dyn AuthUnit,
    id: TokenId,
    peppers: &Peppers,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<(Token, TokenValue), ChangeError> {
    let before = load(unit, id).await?;
    let (version, creator, primary) = (before.version, before.created_by, before.primary);
    let value = TokenValue::generate(random);
    let after = before.rotate(&value, peppers.fingerprint(&value), now)?;
    let standings = unit.directory().standings(creator, &[primary].into(), &BTreeSet::new()).await?;
    if !standings.iter().any(|company| company.id == primary && company.api_access) {
        return Err(ChangeError::ApiAccessOff(primary));
    }
    unit.tokens().replace(version, &after).await?;
    Ok((after, value))
}

async fn change(
    unit: &dyn AuthUnit,
    id: TokenId,
    step: impl FnOnce(Token) -> Result<Token, IllegalStep> + Send,
) -> Result<Token, ChangeError> {
    let before = load(unit, id).await?;
    let version = before.version;
    let after = step(before)?;
    unit.tokens().replace(version, &after).await?;
    Ok(after)
}

async fn load(unit: &dyn AuthUnit, id: TokenId) -> Result<Token, ChangeError> {
    unit.tokens().find(id).await?.ok_or(ChangeError::NotFound)
}
