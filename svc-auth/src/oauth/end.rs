//! The end of a connection without the wish of its person: by its client, for a secret that two have, or since nothing
//! of it counts any more.

use std::time::Duration;

use svc_core::audit::{Action, Actor};
use svc_core::error::StoreError;
use svc_core::id::TokenId;
use svc_core::unit::CallContext;

use crate::oauth::Grant;
use crate::ports::OauthUnit;
use crate::token::audit::{self, Change};

/// So long after its end a secret is kept: the clocks of several servers are not one.
const MARGIN: Duration = Duration::from_mins(1);

/// Forgets the pairs of tokens that have ended, and as many as `most` of the grants of which none is left. Their
/// connections are revoked, for the client holds nothing that counts: it never came for its code, or did not
/// refresh its tokens in time. Answers how many grants were forgotten.
///
/// # Errors
/// When the store failed.
pub async fn forget_ended(
    unit: &dyn OauthUnit,
    call: CallContext<'_>,
    most: usize,
) -> Result<usize, StoreError> {
    let ended = unit.grants().purge_grants(call.now.minus(MARGIN), most).await?;
    for grant in &ended {
        revoke_credential(unit, call, grant.credential, "the client has no token of it that counts").await?;
    }
    Ok(ended.len())
}

/// Ends a grant and revokes its credential, as done by the service itself for this reason.
pub(super) async fn end(
    unit: &dyn OauthUnit,
    call: CallContext<'_>,
    grant: &Grant,
    reason: &'static str,
) -> Result<(), StoreError> {
    let ended = grant.ended(call.now);
    if ended != *grant {
        unit.grants().advance(grant, &ended).await?;
    }
    revoke_credential(unit, call, grant.credential, reason).await
}

/// Does nothing when it is revoked or expired already.
async fn revoke_credential(
    unit: &dyn OauthUnit,
    call: CallContext<'_>,
    credential: TokenId,
    reason: &'static str,
) -> Result<(), StoreError> {
    let Some(before) = unit.tokens().find(credential).await? else { return Ok(()) };
    let Ok(after) = before.clone().revoke(call.now) else { return Ok(()) };
    unit.tokens().replace(before.version, &after).await?;
    let actor = Actor { from: call.actor.from, request: call.actor.request, ..Actor::service(reason) };
    let change = Change { before: Some(&before), after: &after, report: None };
    audit::log(unit, CallContext { actor: &actor, ..call }, Action::TokenRevoke, change).await
}
