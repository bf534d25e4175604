//! Verbs on tokens with their opening, each as one function that a test runs in a unit of its own. Without a
//! version any is expected.

use svc_auth::ports::AuthUnit;
use svc_auth::token::{self, EditError, IllegalStep, Peppers, Token, TokenValue, UpdateRequest};
use svc_core::id::TokenId;
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Version};
use svc_core::unit::CallContext;

use crate::catalogue::policy;

/// Opens a token and switches it off.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn disable(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
) -> Result<Token, Refused<IllegalStep>> {
    token::disable(token::open(unit, call, id, &Expected::Any).await.map_err(Refused::widen)?).await
}

/// Opens a token and switches it on.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn enable(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
) -> Result<Token, Refused<IllegalStep>> {
    token::enable(token::open(unit, call, id, &Expected::Any).await.map_err(Refused::widen)?).await
}

/// Opens a token and stops it for ever.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn revoke(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
) -> Result<Token, Refused<IllegalStep>> {
    token::revoke(token::open(unit, call, id, &Expected::Any).await.map_err(Refused::widen)?).await
}

/// Opens a token and gives it a new value.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn rotate(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
    peppers: &Peppers,
) -> Result<(Token, TokenValue), Refused<EditError>> {
    let opened = token::open(unit, call, id, &Expected::Any).await.map_err(Refused::widen)?;
    token::rotate(opened, peppers).await
}

/// Opens a token and changes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn update(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
    version: Option<Version>,
    request: UpdateRequest,
) -> Result<Token, Refused<EditError>> {
    let opened = token::open(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    token::update(opened, request, &policy()).await
}
