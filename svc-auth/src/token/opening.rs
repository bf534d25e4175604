//! The opening of every verb on a token, and its saving.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::{TokenId, UserId};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use crate::ports::AuthUnit;
use crate::token::{Token, audit};

/// A token that is about to be changed.
pub struct OpenedToken<'u> {
    pub(super) unit: &'u dyn AuthUnit,
    pub(super) call: CallContext<'u>,
    pub(super) before: Token,
}

/// Opens a token whose primary account is within the caller's scope.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::VersionConflict`], [`Refused::Store`].
pub async fn open<'u>(
    unit: &'u dyn AuthUnit,
    call: CallContext<'u>,
    id: TokenId,
    expected: &Expected,
) -> Result<OpenedToken<'u>, Refused> {
    let found = unit.tokens().find(id).await?;
    let before = found.filter(|token| call.scope.contains(token.primary)).ok_or(Refused::NotFound)?;
    expected.check(before.version)?;
    Ok(OpenedToken { unit, call, before })
}

/// Opens a connection of an assistant that a person made: they end it whatever they may do in its company by now.
///
/// # Errors
/// [`Refused::NotFound`] of what is none, or another person's; [`Refused::Store`].
pub async fn open_own_connection<'u>(
    unit: &'u dyn AuthUnit,
    call: CallContext<'u>,
    person: UserId,
    id: TokenId,
) -> Result<OpenedToken<'u>, Refused> {
    let found = unit.tokens().find(id).await?;
    let before = found.filter(|token| token.was_connected_by(person)).ok_or(Refused::NotFound)?;
    Ok(OpenedToken { unit, call, before })
}

impl OpenedToken<'_> {
    /// Keeps `after` in the place of the token and writes the change down.
    pub(super) async fn save(self, action: Action, after: Token) -> Result<Token, StoreError> {
        let Self { unit, call, before } = self;
        unit.tokens().replace(before.version, &after).await?;
        let change = audit::Change { before: Some(&before), after: &after, report: None };
        audit::log(unit, call, action, change).await?;
        Ok(after)
    }
}
