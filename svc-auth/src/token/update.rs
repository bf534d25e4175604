//! Changing what a token is called and may do.
//!
//! Scope and expiry date are fixed at creation (specification, parts 2.1 and 5.3).

use svc_core::audit::Action;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::refused::Refused;

use crate::token::authority::may_edit;
use crate::token::{EditError, IllegalStep, OpenedToken, Policy, Status, Token, input};

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

/// Changes a token that is active or switched off; nothing is written when nothing changes. Of a connection the name alone.
///
/// # Errors
/// [`EditError`], [`Refused::Invalid`], [`Refused::Store`]; nothing was changed.
pub async fn update(
    opened: OpenedToken<'_>,
    request: UpdateRequest,
    policy: &Policy,
) -> Result<Token, Refused<EditError>> {
    let OpenedToken { unit, call, ref before } = opened;
    let status = before.status(call.now);
    if matches!(status, Status::Revoked | Status::Expired) {
        return Err(Refused::Own(IllegalStep { step: "update", status }.into()));
    }
    let fixed =
        request.permissions.is_some() || request.personal_data.is_some() || request.allowed_ips.is_some();
    if before.connection.is_some() && fixed {
        return Err(Refused::Own(EditError::Connection));
    }
    let changed = check(before, request, policy)?;
    if changed == *before {
        return Ok(changed);
    }
    may_edit(unit, call, before).await.map_err(|refused| refused.map(EditError::from))?;
    let after = Token { version: before.version.next(), ..changed };
    Ok(opened.save(Action::TokenUpdate, after).await?)
}

fn check(before: &Token, request: UpdateRequest, policy: &Policy) -> Result<Token, ValidationErrors> {
    let mut validator = Validator::new();
    let name = request.name.and_then(|text| input::name(&mut validator, &text));
    let grants = request.permissions.and_then(|texts| input::permissions(&mut validator, &texts, policy));
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
