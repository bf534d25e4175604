//! Switching a token off and on, revoking it, giving it a new value.
//!
//! After the commit, the node that made the change calls
//! [`Authenticator::forget`](crate::authenticate::Authenticator::forget), so
//! that it is effective there at once.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::TokenId;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::AuthUnit;
use crate::token::authority::may_edit;
use crate::token::{AuthorityError, IllegalStep, Peppers, Token, TokenValue, audit};

/// Why a token is not changed.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is none with this id whose primary account the caller administers.
    #[error("no such token")]
    NotFound,
    /// Its state does not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalStep),
    /// It names or reaches what the caller may not hand out.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Switches a token off; its configuration is kept.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn disable(unit: &dyn AuthUnit, call: CallContext<'_>, id: TokenId) -> Result<Token, ChangeError> {
    change(unit, call, id, Action::TokenDisable, |token| token.disable(call.now)).await
}

/// Switches a token on again.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn enable(unit: &dyn AuthUnit, call: CallContext<'_>, id: TokenId) -> Result<Token, ChangeError> {
    change(unit, call, id, Action::TokenEnable, |token| token.enable(call.now)).await
}

/// Stops a token for ever.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn revoke(unit: &dyn AuthUnit, call: CallContext<'_>, id: TokenId) -> Result<Token, ChangeError> {
    change(unit, call, id, Action::TokenRevoke, |token| token.revoke(call.now)).await
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
    call: CallContext<'_>,
    id: TokenId,
    peppers: &Peppers,
) -> Result<(Token, TokenValue), ChangeError> {
    let before = load(unit, call, id).await?;
    let value = TokenValue::generate(call.random);
    let after = before.clone().rotate(&value, peppers.fingerprint(&value), call.now)?;
    may_edit(unit, call, &before).await?;
    save(unit, call, Action::TokenRotate, &before, &after).await?;
    Ok((after, value))
}

async fn change(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
    action: Action,
    step: impl FnOnce(Token) -> Result<Token, IllegalStep> + Send,
) -> Result<Token, ChangeError> {
    let before = load(unit, call, id).await?;
    let after = step(before.clone())?;
    save(unit, call, action, &before, &after).await?;
    Ok(after)
}

/// The token, if its primary account is within the caller's scope.
pub(super) async fn load(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
) -> Result<Token, ChangeError> {
    let found = unit.tokens().find(id).await?;
    found.filter(|token| call.scope.contains(token.primary)).ok_or(ChangeError::NotFound)
}

/// Replaces `before` and writes the change down.
pub(super) async fn save(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    action: Action,
    before: &Token,
    after: &Token,
) -> Result<(), StoreError> {
    unit.tokens().replace(before.version, after).await?;
    audit::log(unit, call, action, audit::Change { before: Some(before), after, report: None }).await
}
