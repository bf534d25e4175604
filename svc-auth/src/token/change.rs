//! Switching a token off and on, revoking it, giving it a new value.
//!
//! After the commit, the node that made the change calls
//! [`Authenticator::forget`](crate::authenticate::Authenticator::forget), so
//! that it is effective there at once.

use svc_core::audit::Action;
use svc_core::refused::Refused;
use thiserror::Error;

use crate::token::authority::may_edit;
use crate::token::{AuthorityError, IllegalStep, OpenedToken, Peppers, Token, TokenValue};

/// Why a token's value, or what it may do, is not changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum EditError {
    /// Its state does not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalStep),
    /// It is a connection, which has no value, and whose role and place are fixed.
    #[error("a connection is not edited: switch it off, or revoke it and connect anew with another role")]
    Connection,
    /// It names or reaches what the caller may not hand out.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
}

/// Switches a token off; its configuration is kept.
///
/// # Errors
/// [`IllegalStep`], [`Refused::Store`]; nothing was changed.
pub async fn disable(opened: OpenedToken<'_>) -> Result<Token, Refused<IllegalStep>> {
    let after = opened.before.clone().disable(opened.call.now).map_err(Refused::Own)?;
    Ok(opened.save(Action::TokenDisable, after).await?)
}

/// Switches a token on again.
///
/// # Errors
/// [`IllegalStep`], [`Refused::Store`]; nothing was changed.
pub async fn enable(opened: OpenedToken<'_>) -> Result<Token, Refused<IllegalStep>> {
    let after = opened.before.clone().enable(opened.call.now).map_err(Refused::Own)?;
    Ok(opened.save(Action::TokenEnable, after).await?)
}

/// Stops a token for ever.
///
/// # Errors
/// [`IllegalStep`], [`Refused::Store`]; nothing was changed.
pub async fn revoke(opened: OpenedToken<'_>) -> Result<Token, Refused<IllegalStep>> {
    let after = opened.before.clone().revoke(opened.call.now).map_err(Refused::Own)?;
    Ok(opened.save(Action::TokenRevoke, after).await?)
}

/// Replaces a token's value; the previous one stops working. A connection has none.
///
/// Switching off, on and revoking go on while API access of the company is
/// off; a new value is an edit of the token and does not (specification, part 3.1).
///
/// # Errors
/// [`EditError`], [`Refused::Store`]; nothing was changed.
pub async fn rotate(
    opened: OpenedToken<'_>,
    peppers: &Peppers,
) -> Result<(Token, TokenValue), Refused<EditError>> {
    let OpenedToken { unit, call, ref before } = opened;
    if before.connection.is_some() {
        return Err(Refused::Own(EditError::Connection));
    }
    let value = TokenValue::generate_marked(peppers.mark(), call.random);
    let after = before.clone().rotate(&value, peppers.fingerprint(&value), call.now);
    let after = after.map_err(|illegal| Refused::Own(illegal.into()))?;
    may_edit(unit, call, before).await.map_err(|refused| refused.map(EditError::from))?;
    Ok((opened.save(Action::TokenRotate, after).await?, value))
}
