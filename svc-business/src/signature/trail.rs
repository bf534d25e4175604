//! What is written down of an envelope: entries that are chained by their hashes.

use svc_core::audit::{Actor, Who};
use svc_core::clock::Timestamp;
use svc_core::id::SignerId;
use svc_core::text::is_hidden;
use svc_core::trail::{Entry, Link};

use super::state::{Envelope, TrailHead};

/// From so many entries on, only what ends something is written down: reminders and codes are refused.
pub const TRAIL_ROOM: u32 = 2_000;

/// Characters of what a program names itself that are kept.
const MOST_USER_AGENT: usize = 256;

/// Who does something to an envelope, when, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// When.
    pub at: Timestamp,
    /// Who: an id, or what the service does by itself.
    actor: String,
    ip: Option<String>,
    user_agent: Option<String>,
}

impl Act {
    /// What a token, a person of the company or the service itself does.
    #[must_use]
    pub fn of(actor: &Actor, at: Timestamp) -> Self {
        let who = match &actor.who {
            Who::Token(token) => token.to_string(),
            Who::Person { user, .. } => user.to_string(),
            Who::Operator => "operator".to_owned(),
            Who::Service(reason) => format!("service:{reason}"),
        };
        Self { at, actor: who, ip: actor.from.map(|from| from.to_string()), user_agent: None }
    }

    /// What a signer does, with a program that names itself so.
    #[must_use]
    pub fn of_signer(signer: SignerId, actor: &Actor, user_agent: Option<&str>, at: Timestamp) -> Self {
        let plain = |text: &str| -> String {
            text.chars().filter(|letter| !is_hidden(*letter)).take(MOST_USER_AGENT).collect()
        };
        Self { actor: signer.to_string(), user_agent: user_agent.map(plain), ..Self::of(actor, at) }
    }
}

/// What is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrailAction {
    /// It was sent; the details are the digests of the files.
    Sent,
    /// A signer was sent the link; the details are the address.
    SignerNotified,
    /// A signer was reminded.
    SignerReminded,
    /// A signer opened the documents.
    SignerViewed,
    /// A signer was sent a code; the details are the address.
    CodeSent,
    /// A signer typed a wrong code.
    CodeFailed,
    /// A signer proved to have the code; the details are its keyed hash.
    CodeProved,
    /// A signer consented; the details are the text.
    SignerConsented,
    /// A signer signed; the details are the kind of signature and its digest.
    SignerSigned,
    /// A signer declined; the details are the reason.
    SignerDeclined,
    /// Another person took the place of a signer; the details are both ids.
    SignerReplaced,
    /// Everyone signed.
    Completed,
    /// It ended with a signer who declined.
    Declined,
    /// It was ended; the details are the reason.
    Voided,
    /// Another one was sent in its place; the details are its id.
    Superseded,
    /// Its files were sealed; the details are the ids of the sealed files.
    Sealed,
}

svc_core::state_names!(TrailAction {
    Sent = "envelope.sent",
    SignerNotified = "signer.notified",
    SignerReminded = "signer.reminded",
    SignerViewed = "signer.viewed",
    CodeSent = "signer.code_sent",
    CodeFailed = "signer.code_failed",
    CodeProved = "signer.code_proved",
    SignerConsented = "signer.consented",
    SignerSigned = "signer.signed",
    SignerDeclined = "signer.declined",
    SignerReplaced = "signer.replaced",
    Completed = "envelope.completed",
    Declined = "envelope.declined",
    Voided = "envelope.voided",
    Superseded = "envelope.superseded",
    Sealed = "envelope.sealed",
});

/// Writes an entry behind the trail of an envelope.
pub(super) fn chain(
    envelope: &mut Envelope,
    act: &Act,
    action: TrailAction,
    details: Option<String>,
) -> Link {
    let Act { at, actor, ip, user_agent } = act.clone();
    let entry = Entry { at, actor, action: action.name().to_owned(), ip, user_agent, details };
    let link = Link::after(envelope.trail.hash, entry);
    envelope.trail = TrailHead { entries: envelope.trail.entries.saturating_add(1), hash: link.hash };
    link
}
