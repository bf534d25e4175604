//! Switching a token off and on, revoking it, giving it a new value.
//!
//! After the commit, the node that made the change calls
//! [`Authenticator::forget`](crate::authenticate::Authenticator::forget), so
//! that it is effective there at once.

use std::collections::BTreeSet;

use svc_core::audit::{Action, Who};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId};
use svc_core::unit::Call;
use thiserror::Error;

use crate::ports::AuthUnit;
use crate::scope::{Reach, resolve};
use crate::token::{IllegalStep, Peppers, Token, TokenValue, audit};

/// Why a token is not changed.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is none with this id whose primary account the caller administers.
    #[error("no such token")]
    NotFound,
    /// Its state does not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalStep),
    /// API access is switched off for its primary account.
    #[error("API access is switched off for {0}")]
    ApiAccessOff(AccountId),
    /// It reaches a company that the caller does not administer: what the
    /// caller would learn or widen is not theirs.
    #[error("the token reaches {0}, which the caller neither holds nor administers")]
    NotAdministered(AccountId),
    /// It reaches a group in which the caller administers no company.
    #[error("the token reaches {0}, in which the caller administers no company")]
    UnknownGroup(GroupId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Switches a token off; its configuration is kept.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn disable(unit: &dyn AuthUnit, call: Call<'_>, id: TokenId) -> Result<Token, ChangeError> {
    change(unit, call, id, Action::TokenDisable, |token| token.disable(call.now)).await
}

/// Switches a token on again.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn enable(unit: &dyn AuthUnit, call: Call<'_>, id: TokenId) -> Result<Token, ChangeError> {
    change(unit, call, id, Action::TokenEnable, |token| token.enable(call.now)).await
}

/// Stops a token for ever.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn revoke(unit: &dyn AuthUnit, call: Call<'_>, id: TokenId) -> Result<Token, ChangeError> {
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
    call: Call<'_>,
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
    call: Call<'_>,
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
pub(super) async fn load(unit: &dyn AuthUnit, call: Call<'_>, id: TokenId) -> Result<Token, ChangeError> {
    let found = unit.tokens().find(id).await?;
    found.filter(|token| call.scope.contains(token.primary)).ok_or(ChangeError::NotFound)
}

/// Replaces `before` and writes the change down.
pub(super) async fn save(
    unit: &dyn AuthUnit,
    call: Call<'_>,
    action: Action,
    before: &Token,
    after: &Token,
) -> Result<(), StoreError> {
    unit.tokens().replace(before.version, after).await?;
    audit::log(unit, call, action, audit::Change { before: Some(before), after, report: None }).await
}

/// Whether the caller may learn a token's value or change what it may do.
///
/// API access must be on for every company that it names. Whoever did not create
/// the token must reach by it all that its creator does: otherwise an
/// administrator of one company could take over a token that reaches another one.
pub(super) async fn may_edit(unit: &dyn AuthUnit, call: Call<'_>, token: &Token) -> Result<(), ChangeError> {
    let named: BTreeSet<_> = token.companies.iter().copied().chain([token.primary]).collect();
    let standings = unit.directory().standings(token.created_by, &named, &token.groups).await?;
    let on = |company: &AccountId| standings.iter().any(|known| known.id == *company && known.api_access);
    if let Some(off) = std::iter::once(&token.primary).chain(&token.companies).find(|company| !on(company)) {
        return Err(ChangeError::ApiAccessOff(*off));
    }
    let Who::Person { user, .. } = call.actor.who else { return Ok(()) };
    if user == token.created_by {
        return Ok(());
    }
    if let Some(foreign) = token.companies.iter().find(|company| !call.scope.contains(**company)) {
        return Err(ChangeError::NotAdministered(*foreign));
    }
    let own = unit.directory().standings(user, &named, &token.groups).await?;
    let administers = |group: &GroupId| {
        own.iter().any(|company| company.group == Some(*group) && company.is_administered())
    };
    if let Some(foreign) = token.groups.iter().find(|group| !administers(group)) {
        return Err(ChangeError::UnknownGroup(*foreign));
    }
    let (of_creator, of_caller) = (resolve(token, &standings), resolve(token, &own));
    let reached =
        |company: AccountId| of_caller.iter().flat_map(Reach::companies).any(|reached| reached.id == company);
    match of_creator.iter().flat_map(Reach::companies).find(|company| !reached(company.id)) {
        Some(foreign) => Err(ChangeError::NotAdministered(foreign.id)),
        None => Ok(()),
    }
}
