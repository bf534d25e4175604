//! The ends of an envelope, and what comes after them.

use svc_core::id::{EnvelopeId, FileId};

use super::{EnvelopeRefused, MailKind, Step};
use crate::signature::state::{Envelope, EnvelopeStatus, SealedFiles, VoidReason};
use crate::signature::trail::{Act, TrailAction};

impl Envelope {
    /// Ends it for a reason of the sender.
    ///
    /// # Errors
    /// [`EnvelopeRefused`] of one that is not open.
    pub fn void(self, reason: String, act: &Act) -> Result<Step, EnvelopeRefused> {
        self.is_open(act.at)?;
        self.voided(VoidReason::Sender(reason), act)
    }

    /// Ends it because its term has passed; `None` while it lasts.
    ///
    /// # Errors
    /// [`EnvelopeRefused`] of one that was not sent, or has ended.
    pub fn expire(self, act: &Act) -> Result<Option<Step>, EnvelopeRefused> {
        match &self.status {
            EnvelopeStatus::Sent { .. } if self.has_expired(act.at) => {
                self.voided(VoidReason::Expired, act).map(Some)
            }
            EnvelopeStatus::Sent { .. } => Ok(None),
            EnvelopeStatus::Draft
            | EnvelopeStatus::Completed { .. }
            | EnvelopeStatus::Declined { .. }
            | EnvelopeStatus::Voided { .. } => self.is_open(act.at).map(|()| None),
        }
    }

    /// Gives way to another envelope, which is sent in its place; one that is open ends by that.
    ///
    /// # Errors
    /// [`EnvelopeRefused`] of a draft, a completed one, and one that gave way before.
    pub fn supersede(mut self, by: EnvelopeId, act: &Act) -> Result<Step, EnvelopeRefused> {
        if self.superseded_by.is_some() {
            return Err(EnvelopeRefused::Superseded);
        }
        let is_open = match &self.status {
            EnvelopeStatus::Draft => return Err(EnvelopeRefused::NotSent),
            EnvelopeStatus::Completed { .. } => return Err(EnvelopeRefused::NotReissued),
            EnvelopeStatus::Sent { .. } => true,
            EnvelopeStatus::Declined { .. } | EnvelopeStatus::Voided { .. } => false,
        };
        self.superseded_by = Some(by);
        let mut step = if is_open { self.voided(VoidReason::Reissued, act)? } else { Step::of(self) };
        step.note(act, TrailAction::Superseded, Some(by.to_string()));
        Ok(step)
    }

    /// Keeps the sealed files of a completed one: those who took part are sent them. `None` when it has them already.
    ///
    /// # Errors
    /// [`EnvelopeRefused::Incomplete`] of one that is not completed, or has other files.
    pub fn sealed(mut self, files: SealedFiles, act: &Act) -> Result<Option<Step>, EnvelopeRefused> {
        let (sent_at, at) = match &self.status {
            EnvelopeStatus::Completed { sealed: Some(_), .. } => return Ok(None),
            EnvelopeStatus::Completed { sent_at, at, sealed: None } => (*sent_at, *at),
            EnvelopeStatus::Draft
            | EnvelopeStatus::Sent { .. }
            | EnvelopeStatus::Declined { .. }
            | EnvelopeStatus::Voided { .. } => {
                return Err(EnvelopeRefused::Incomplete("only a completed envelope is sealed"));
            }
        };
        if files.files.len() != self.files.len() {
            return Err(EnvelopeRefused::Incomplete("each file is to be sealed"));
        }
        let ids = files.files.iter().chain([&files.certificate]).map(FileId::to_string);
        let ids = ids.collect::<Vec<_>>().join(" ");
        self.status = EnvelopeStatus::Completed { sent_at, at, sealed: Some(files) };
        let mut step = Step::of(self);
        step.note(act, TrailAction::Sealed, Some(ids));
        let took_part =
            |signer: &&crate::signature::signer::Signer| signer.has_signed() || !signer.role.acts();
        let to: Vec<_> = step.envelope.signers.iter().filter(took_part).map(|one| one.id).collect();
        step.copies_sent(act);
        for id in to {
            step.mail(id, MailKind::Completed);
        }
        Ok(Some(step))
    }

    fn voided(mut self, reason: VoidReason, act: &Act) -> Result<Step, EnvelopeRefused> {
        let words = reason.as_str().to_owned();
        let is_replaced_by_another = reason == VoidReason::Reissued;
        self.status = EnvelopeStatus::Voided { sent_at: self.sent_at()?, at: act.at, reason };
        let told: Vec<_> = self.signers.iter().filter(|one| one.is_asked()).map(|one| one.id).collect();
        let mut step = Step::of(self);
        step.note(act, TrailAction::Voided, Some(words));
        // Those who are asked by another envelope are told by that.
        for id in told.into_iter().filter(|_| !is_replaced_by_another) {
            step.mail(id, MailKind::Voided);
        }
        Ok(step)
    }
}
