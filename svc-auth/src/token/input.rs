//! Validator of what people write about a token.

use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::permission::{Grants, PermissionCatalogue};
use svc_core::text::is_hidden;

use crate::ip::AllowedIps;

/// Characters of the longest name.
const NAME_MAX: usize = 100;
/// Addresses and ranges of the longest list: it is walked on every request.
const ALLOWED_IPS_MAX: usize = 100;
/// Companies, or groups, of the longest list.
const NAMED_MAX: usize = 500;

/// What tokens may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The permissions that there are.
    pub permissions: Arc<PermissionCatalogue>,
    /// How long a token may live at most; it then needs an expiry date. `None` sets no ceiling.
    pub longest_life: Option<Duration>,
}

pub(super) fn name(validator: &mut Validator, text: &str) -> Option<String> {
    let name = text.trim();
    let fits = name.chars().count() <= NAME_MAX && !name.chars().any(is_hidden);
    let sound = validator.require(!name.is_empty(), "name", "required", "a token needs a name")
        && validator.require(fits, "name", "out_of_range", "a name has 1 to 100 characters that can be seen");
    sound.then(|| name.to_owned())
}

impl Policy {
    /// Tokens with any of these permissions, of any length of life.
    #[must_use]
    pub fn of(permissions: PermissionCatalogue) -> Self {
        Self { permissions: Arc::new(permissions), longest_life: None }
    }
}

pub(super) fn permissions(validator: &mut Validator, texts: &[String], policy: &Policy) -> Option<Grants> {
    validator.require(!texts.is_empty(), "permissions", "required", "a token needs at least one permission");
    for (at, text) in texts.iter().enumerate() {
        validator.take(
            &format!("permissions[{at}]"),
            "unknown_permission",
            policy.permissions.grants([text]),
        );
    }
    policy.permissions.grants(texts).ok()
}

pub(super) fn allowed_ips(validator: &mut Validator, texts: &[String]) -> Option<AllowedIps> {
    let few = texts.len() <= ALLOWED_IPS_MAX;
    if validator.require(few, "allowedIps", "out_of_range", "a token has at most 100 addresses and ranges") {
        for (at, text) in texts.iter().enumerate() {
            validator.take(&format!("allowedIps[{at}]"), "invalid_ip", AllowedIps::parse([text]));
        }
    }
    AllowedIps::parse(texts).ok()
}

/// The companies and groups that a token names.
pub(super) fn named(validator: &mut Validator, field: &str, count: usize) {
    validator.require(count <= NAMED_MAX, field, "out_of_range", "a token names at most 500 of them");
}

pub(crate) fn expiry(
    validator: &mut Validator,
    expires_at: Option<Timestamp>,
    policy: &Policy,
    now: Timestamp,
) {
    let later = expires_at.is_none_or(|expiry| expiry > now);
    validator.require(later, "expiresAt", "out_of_range", "a token expires in the future or never");
    if let Some(longest) = policy.longest_life {
        let days = longest.as_secs() / 86_400;
        let soon = expires_at.is_some_and(|expiry| expiry <= now.plus(longest));
        validator.require(
            soon,
            "expiresAt",
            "out_of_range",
            format!("the operator lets tokens live {days} days at most: name an instant before that"),
        );
    }
}
