//! The life of an envelope: pure transitions, each from an envelope to a [`Step`].
//!
//! A draft is sent once. From then on it is open until it ends, once and for good: completed with the last signature,
//! declined with the first refusal, or voided by the sender, by its term, or by another one that is sent in its place.
//! Whatever comes after that is refused as [`EnvelopeRefused::Closed`], the steps of a race among them.

mod ceremony;
mod close;
mod reassign;
mod send;

use svc_core::clock::Timestamp;
use svc_core::id::SignerId;
use svc_core::trail::Link;
use thiserror::Error;

pub use self::ceremony::{Consent, Proved};
pub(super) use self::send::LONGEST_TERM;
use super::code::CodeRefused;
use super::signer::{Signer, SignerStatus};
use super::state::{Envelope, EnvelopeStatus, SigningOrder};
use super::trail::{Act, TRAIL_ROOM, TrailAction, chain};

/// What a transition came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The envelope since then.
    pub envelope: Envelope,
    /// What is added to its trail.
    pub entries: Vec<Link>,
    /// What is sent by mail.
    pub mails: Vec<SignerMail>,
}

/// What a signer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignerMail {
    /// To whom.
    pub signer: SignerId,
    /// What.
    pub kind: MailKind,
}

/// What a signer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailKind {
    /// The link: `invitation`
    Invitation,
    /// The link once more: `reminder`
    Reminder,
    /// A code: `code`
    Code,
    /// That the envelope was ended: `voided`
    Voided,
    /// What was signed: `completed`
    Completed,
}

svc_core::wire_names!(MailKind {
    Invitation = "invitation",
    Reminder = "reminder",
    Code = "code",
    Voided = "voided",
    Completed = "completed",
});

/// Why an envelope does not change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EnvelopeRefused {
    /// It has ended.
    #[error("the envelope is {}", .0)]
    Closed(&'static str),
    /// It was sent.
    #[error("the envelope is {}, and only a draft is changed or sent", .0)]
    NotDraft(&'static str),
    /// It was not sent.
    #[error("the envelope is a draft: send it first")]
    NotSent,
    /// Another one was sent in its place already.
    #[error("another envelope was sent in the place of this one: reissue that one")]
    Superseded,
    /// A completed one stays as it is.
    #[error("the envelope is completed: make a new one")]
    NotReissued,
    /// Something is missing.
    #[error("{0}")]
    Incomplete(&'static str),
    /// No such signer.
    #[error("the envelope has no such signer")]
    UnknownSigner,
    /// The signer signed, declined or was replaced.
    #[error("the signer is {}, and changes no more", .0)]
    SignerDone(&'static str),
    /// As many signers as an envelope has.
    #[error("the envelope has had as many signers as it can have: reissue it")]
    TooManySigners,
    /// The place of the signer was taken by another person: the link is dead.
    #[error("the signature was given to another person")]
    LinkDead,
    /// Others sign first.
    #[error("it is not this signer's turn")]
    NotYourTurn,
    /// The documents were not opened.
    #[error("open the documents first")]
    NotViewed,
    /// No signer is asked at the moment, or the last reminder is too fresh.
    #[error("the signers were reminded less than an hour ago: wait")]
    RemindedLately,
    /// Too many mails wait.
    #[error("too many mails of envelopes wait to be sent: try again later")]
    TooManyMails,
    /// The trail is full.
    #[error("the envelope has too long a history: void it, or reissue it")]
    TrailFull,
    /// The code.
    #[error(transparent)]
    Code(#[from] CodeRefused),
}

impl Step {
    fn of(envelope: Envelope) -> Self {
        Self { envelope, entries: Vec::new(), mails: Vec::new() }
    }

    fn note(&mut self, act: &Act, action: TrailAction, details: Option<String>) {
        self.entries.push(chain(&mut self.envelope, act, action, details));
    }

    fn mail(&mut self, signer: SignerId, kind: MailKind) {
        self.mails.push(SignerMail { signer, kind });
    }

    /// Gives the signer with this id another state.
    fn set(&mut self, id: SignerId, status: SignerStatus) {
        if let Some(signer) = self.envelope.signers.iter_mut().find(|signer| signer.id == id) {
            signer.status = status;
        }
    }

    /// Asks those whose turn it is by now.
    fn notify(&mut self, act: &Act) {
        let due: Vec<_> = due(&self.envelope).map(|signer| (signer.id, signer.email.clone())).collect();
        for (id, email) in due {
            self.set(id, SignerStatus::Notified { at: act.at });
            self.note(act, TrailAction::SignerNotified, Some(format!("{id} {}", email.as_str())));
            self.mail(id, MailKind::Invitation);
        }
    }
}

/// Those who wait although it is their turn.
fn due(envelope: &Envelope) -> impl Iterator<Item = &Signer> {
    let required = || envelope.signers.iter().filter(|signer| signer.is_required());
    let first = required().filter(|signer| !signer.has_signed()).map(|signer| signer.order).min();
    required().filter(move |signer| {
        let turn = match envelope.order {
            SigningOrder::Parallel => true,
            SigningOrder::Sequential => Some(signer.order) == first,
        };
        turn && signer.status == SignerStatus::Waiting
    })
}

impl Envelope {
    /// Judges that it is open now: sent, not ended, and its term lasts, which ends before the job of the day says so.
    ///
    /// # Errors
    /// [`EnvelopeRefused::NotSent`], [`EnvelopeRefused::Closed`]
    pub fn is_open(&self, now: Timestamp) -> Result<(), EnvelopeRefused> {
        match &self.status {
            EnvelopeStatus::Draft => Err(EnvelopeRefused::NotSent),
            EnvelopeStatus::Sent { .. } if self.has_expired(now) => Err(EnvelopeRefused::Closed("voided")),
            EnvelopeStatus::Sent { .. } => Ok(()),
            ended @ (EnvelopeStatus::Completed { .. }
            | EnvelopeStatus::Declined { .. }
            | EnvelopeStatus::Voided { .. }) => Err(EnvelopeRefused::Closed(ended.name())),
        }
    }

    /// Whether its term has passed.
    #[must_use]
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }

    /// Judges that it is a draft.
    ///
    /// # Errors
    /// [`EnvelopeRefused::NotDraft`]
    pub fn is_draft(&self) -> Result<(), EnvelopeRefused> {
        match &self.status {
            EnvelopeStatus::Draft => Ok(()),
            other @ (EnvelopeStatus::Sent { .. }
            | EnvelopeStatus::Completed { .. }
            | EnvelopeStatus::Declined { .. }
            | EnvelopeStatus::Voided { .. }) => Err(EnvelopeRefused::NotDraft(other.name())),
        }
    }

    /// Judges that its trail has room for what may be done again and again.
    fn has_room(&self) -> Result<(), EnvelopeRefused> {
        if self.trail.entries < TRAIL_ROOM { Ok(()) } else { Err(EnvelopeRefused::TrailFull) }
    }

    /// When it was sent.
    fn sent_at(&self) -> Result<Timestamp, EnvelopeRefused> {
        self.status.sent_at().ok_or(EnvelopeRefused::NotSent)
    }
}
