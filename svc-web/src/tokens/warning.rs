//! What deserves a second look at a token.

use svc_auth::token::{Status, Token};
use svc_core::clock::Timestamp;
use svc_core::permission::PermissionCatalogue;

use crate::instant::days;
use crate::texts::Tokens;

/// A token that nothing has used for so many days is likely forgotten.
const UNUSED: u64 = 90;
/// So many days before its end, a token needs a successor.
const SOON: u64 = 7;

/// The warnings of a token that works; one that does not has none.
pub(super) fn of(
    token: &Token,
    catalogue: &PermissionCatalogue,
    now: Timestamp,
    t: &Tokens,
) -> Vec<&'static str> {
    if token.status(now) != Status::Active {
        return Vec::new();
    }
    let used = token.last_used_at.unwrap_or(token.created_at);
    let unused = now.since(used) >= days(UNUSED);
    let full = catalogue.all().all(|permission| token.grants.cover(permission));
    let soon = token.expires_at.is_some_and(|end| end <= now.plus(days(SOON)));
    let all = [
        (unused, t.warn_unused),
        (full, t.warn_full),
        (token.expires_at.is_none(), t.warn_no_expiry),
        (soon, t.warn_soon),
    ];
    all.into_iter().filter_map(|(holds, text)| holds.then_some(text)).collect()
}
