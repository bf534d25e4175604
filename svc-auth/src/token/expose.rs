//! A token that was found in public.
//!
//! Secret scanners report what looks like a token. A client that can report a value
//! has it, so the service stops it without asking its creator: junk is told by its
//! checksum, and a value that is a token of this service is revoked at once.

use svc_core::audit::{Action, Actor};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::unit::CallContext;
use url::Url;

use crate::ports::AuthUnit;
use crate::token::{Peppers, Token, TokenValue, audit};

/// Where a value was found, as the reporter says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExposureSource {
    /// The address of the place. Only its host is written down: the rest may name people or hold the value.
    pub url: String,
    /// What the place is, such as `commit` or `issue_comment`.
    pub kind: String,
}

/// What a reported value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// A token that worked or could be switched on: it is revoked now.
    Revoked(Token),
    /// A token that was revoked or had expired before.
    AlreadyDead(Token),
    /// No token of this service.
    NotOurs,
}

/// Revokes the token of a value that was found in public, and writes it down where
/// every change of the token is written, as done by the service itself.
///
/// # Errors
/// When the store failed; nothing was changed.
pub async fn report_exposed(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    presented: &str,
    peppers: &Peppers,
    source: &ExposureSource,
) -> Result<Exposure, StoreError> {
    let Ok(value) = TokenValue::parse_marked(peppers.mark(), presented.trim()) else {
        return Ok(Exposure::NotOurs);
    };
    let candidates = peppers.candidates(&value);
    let found = unit.tokens().find_by_fingerprint(&candidates).await?;
    let Some(before) = found.filter(|token| token.fingerprint.is_among(&candidates)) else {
        return Ok(Exposure::NotOurs);
    };
    let Ok(after) = before.clone().revoke(call.now) else { return Ok(Exposure::AlreadyDead(before)) };
    unit.tokens().replace(before.version, &after).await?;
    let actor =
        Actor { from: call.actor.from, request: call.actor.request, ..Actor::service("secret scanning") };
    let (call, report) = (CallContext { actor: &actor, ..call }, reported(source, call.now));
    audit::log(
        unit,
        call,
        Action::TokenRevoke,
        audit::Change { before: Some(&before), after: &after, report: Some(&report) },
    )
    .await?;
    Ok(Exposure::Revoked(after))
}

fn reported(source: &ExposureSource, now: Timestamp) -> audit::Report {
    let host = Url::parse(&source.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let word =
        |text: &str| text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let kind = Some(source.kind.clone()).filter(|kind| !kind.is_empty() && word(kind));
    audit::Report { reported_at: now, host, kind }
}
