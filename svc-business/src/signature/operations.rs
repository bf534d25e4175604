//! The verbs of envelopes, each within a unit of work that has the envelope alone.

mod ceremony;
mod draft;
mod mail;
mod seal;
mod send;

use svc_core::refused::Refused;

pub use self::ceremony::{Ceremony, consent_text, decline, prove_code, request_code, sign, view};
pub use self::draft::{create, delete, update};
pub use self::mail::{EnvelopeLetter, MOST_MAILS_WAITING, letter_of};
pub use self::seal::{SealedContents, envelope_of, sealed};
pub use self::send::{Sending, expire, reassign, reissue, remind, remind_when_due, send, void};
use super::machine::{EnvelopeRefused, Step};
use super::state::Envelope;
use crate::record::Opened;

/// Keeps what a step came to: the envelope, its trail, and the mails beside the commit.
async fn keep(opened: &Opened<'_, Envelope>, step: Step) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let Step { envelope, entries, mails } = step;
    let after = opened.replace(envelope).await?;
    opened.home.unit.envelopes().append(&after, &entries).await?;
    mail::put(&opened.home, &after, &mails).await?;
    Ok(after)
}

/// A reason of the machine as that of a verb.
fn own<T>(outcome: Result<T, EnvelopeRefused>) -> Result<T, Refused<EnvelopeRefused>> {
    outcome.map_err(Refused::Own)
}
