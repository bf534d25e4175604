//! Sending, and reminding.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::SignerId;

use super::{EnvelopeRefused, MailKind, Step};
use crate::signature::key::Access;
use crate::signature::signer::SignerStatus;
use crate::signature::state::{Envelope, EnvelopeStatus, FilePin};
use crate::signature::trail::{Act, TrailAction};

const DAY: Duration = Duration::from_hours(24);
/// The term of an envelope that names none.
pub(in crate::signature) const USUAL_TERM: Duration = Duration::from_hours(30 * 24);
/// The longest term.
pub(in crate::signature) const LONGEST_TERM: Duration = Duration::from_hours(365 * 24);
/// How long the sender waits between reminders.
const BETWEEN: Duration = Duration::from_hours(1);

impl Envelope {
    /// Sends a draft: `pins` are its files as they are now, in their order, and `access` makes the link of a signer.
    ///
    /// # Errors
    /// [`EnvelopeRefused::NotDraft`], [`EnvelopeRefused::Incomplete`]
    pub fn send(
        mut self,
        pins: Vec<FilePin>,
        access: impl Fn(SignerId) -> Access,
        act: &Act,
    ) -> Result<Step, EnvelopeRefused> {
        self.is_draft()?;
        if pins.is_empty() || pins.len() != self.files.len() {
            return Err(EnvelopeRefused::Incomplete("each file is to be there with its version"));
        }
        if !self.signers.iter().any(|signer| signer.role.acts()) {
            return Err(EnvelopeRefused::Incomplete("one person at least signs or approves"));
        }
        let expires_at = self.expires_at.unwrap_or_else(|| act.at.plus(USUAL_TERM));
        if expires_at <= act.at || expires_at > act.at.plus(LONGEST_TERM) {
            return Err(EnvelopeRefused::Incomplete("expiresAt is to be within a year from now"));
        }
        self.expires_at = Some(expires_at);
        for (file, pin) in self.files.iter_mut().zip(pins) {
            file.pin = Some(pin);
        }
        for signer in self.signers.iter_mut().filter(|signer| signer.role.acts()) {
            signer.access = Some(access(signer.id));
        }
        self.status = EnvelopeStatus::Sent { at: act.at, remind_at: self.next_reminder(act.at) };
        let digests = self.files.iter().filter_map(|file| {
            let pin = file.pin.as_ref()?;
            Some(format!("{} version {} sha256 {}", file.file, pin.version, pin.sha256))
        });
        let digests = digests.collect::<Vec<_>>().join("; ");
        let mut step = Step::of(self);
        step.note(act, TrailAction::Sent, Some(digests));
        step.notify(act);
        Ok(step)
    }

    /// Sends the link once more to those whose turn it is, as the sender asks.
    ///
    /// # Errors
    /// [`EnvelopeRefused`] of one that is not open, was reminded within the hour, or has a full trail.
    pub fn remind(self, act: &Act) -> Result<Step, EnvelopeRefused> {
        self.is_open(act.at)?;
        self.has_room()?;
        let asked_at = self.last_asked();
        if asked_at.is_some_and(|last| act.at < last.plus(BETWEEN)) {
            return Err(EnvelopeRefused::RemindedLately);
        }
        let next = self.next_reminder(act.at);
        self.reminded(act, next)
    }

    /// Sends the link once more when a reminder is due; `None` when none is.
    ///
    /// # Errors
    /// [`EnvelopeRefused`] of one that is not open.
    pub fn remind_when_due(self, act: &Act) -> Result<Option<Step>, EnvelopeRefused> {
        self.is_open(act.at)?;
        let due = match self.status {
            EnvelopeStatus::Sent { remind_at: Some(due), .. } if due <= act.at => due,
            EnvelopeStatus::Draft
            | EnvelopeStatus::Sent { .. }
            | EnvelopeStatus::Completed { .. }
            | EnvelopeStatus::Declined { .. }
            | EnvelopeStatus::Voided { .. } => return Ok(None),
        };
        if self.has_room().is_err() {
            // What has no room for another entry is not looked at again.
            let at = self.sent_at()?;
            return Ok(Some(Step::of(Self { status: EnvelopeStatus::Sent { at, remind_at: None }, ..self })));
        }
        // From when it was due, not from when the service came to it: whatever minute that is, the days between stay the same.
        let next = self.next_reminder(due).filter(|next| *next > act.at);
        let next = next.or_else(|| self.next_reminder(act.at));
        self.reminded(act, next).map(Some)
    }

    fn reminded(mut self, act: &Act, next: Option<Timestamp>) -> Result<Step, EnvelopeRefused> {
        self.status = EnvelopeStatus::Sent { at: self.sent_at()?, remind_at: next };
        let asked: Vec<_> =
            self.signers.iter().filter(|signer| signer.is_asked()).map(|one| one.id).collect();
        let mut step = Step::of(self);
        for id in asked {
            step.note(act, TrailAction::SignerReminded, Some(id.to_string()));
            step.mail(id, MailKind::Reminder);
            step.reminded_at(id, act.at);
        }
        Ok(step)
    }

    fn next_reminder(&self, from: Timestamp) -> Option<Timestamp> {
        let days = u32::from(self.reminder_every_days);
        let next = (days > 0).then(|| from.plus(DAY.saturating_mul(days)))?;
        self.expires_at.is_none_or(|end| next < end).then_some(next)
    }

    /// When a signer was last sent a link.
    fn last_asked(&self) -> Option<Timestamp> {
        let asked = self.signers.iter().filter(|signer| signer.is_asked());
        asked.filter_map(|signer| signer.reminded_at.max(signer.status.notified_at())).max()
    }
}

impl Step {
    fn reminded_at(&mut self, id: SignerId, at: Timestamp) {
        if let Some(signer) = self.envelope.signers.iter_mut().find(|signer| signer.id == id) {
            signer.reminded_at = Some(at);
        }
    }

    /// Says of those who get a copy that they were sent it.
    pub(super) fn copies_sent(&mut self, act: &Act) {
        for signer in &mut self.envelope.signers {
            if !signer.role.acts() && signer.status == SignerStatus::Waiting {
                signer.status = SignerStatus::Notified { at: act.at };
            }
        }
    }
}
