//! Changing what a token is called and may do.
//!
//! Scope and expiry date are fixed at creation (specification, parts 2.1 and 5.3).

use svc_core::audit::Action;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::TokenId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::AuthUnit;
use crate::token::authority::may_edit;
use crate::token::{ChangeError, IllegalStep, Status, Token, change, input};

/// What is asked for; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateRequest {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// Permissions, wildcards and levels; at least one.
    pub permissions: Option<Vec<String>>,
    /// Whether it sees personal data.
    pub personal_data: Option<bool>,
    /// Addresses and CIDR ranges; an empty list means anywhere.
    pub allowed_ips: Option<Vec<String>>,
}

/// Why a token is not updated.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The token cannot be changed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// Another request changed it since the version that the caller knows.
    #[error("the token was changed since")]
    Version {
        /// The version it has.
        current: Version,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Changes a token that is active or switched off; nothing is written when nothing changes.
///
/// # Errors
/// [`UpdateError`]; nothing was changed.
pub async fn update(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    id: TokenId,
    expected: Option<Version>,
    request: UpdateRequest,
) -> Result<Token, UpdateError> {
    let before = change::load(unit, call, id).await?;
    if expected.is_some_and(|expected| expected != before.version) {
        return Err(UpdateError::Version { current: before.version });
    }
    let status = before.status(call.now);
    if matches!(status, Status::Revoked | Status::Expired) {
        return Err(ChangeError::from(IllegalStep { step: "update", status }).into());
    }
    let changed = check(&before, request)?;
    if changed == before {
        return Ok(before);
    }
    may_edit(unit, call, &before).await.map_err(ChangeError::from)?;
    let after = Token { version: before.version.next(), ..changed };
    change::save(unit, call, Action::TokenUpdate, &before, &after).await?;
    Ok(after)
}

fn check(before: &Token, request: UpdateRequest) -> Result<Token, ValidationErrors> {
    let mut validator = Validator::new();
    let name = request.name.and_then(|text| input::name(&mut validator, &text));
    let grants = request.permissions.and_then(|texts| input::permissions(&mut validator, &texts));
    let allowed_ips = request.allowed_ips.and_then(|texts| input::allowed_ips(&mut validator, &texts));
    validator.finish()?;
    Ok(Token {
        name: name.unwrap_or_else(|| before.name.clone()),
        grants: grants.unwrap_or_else(|| before.grants.clone()),
        personal_data: request.personal_data.unwrap_or(before.personal_data),
        allowed_ips: allowed_ips.unwrap_or_else(|| before.allowed_ips.clone()),
        ..before.clone()
    })
}
