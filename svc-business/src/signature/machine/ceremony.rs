//! What signers do, each with the link that was sent to them.

use svc_core::id::SignerId;

use super::{EnvelopeRefused, MailKind, Step};
use crate::signature::code::CodeRefused;
use crate::signature::ink::Ink;
use crate::signature::key::{CeremonyKey, LinkHash, Salt};
use crate::signature::signer::{Signer, SignerAuth, SignerStatus};
use crate::signature::state::{Envelope, EnvelopeStatus};
use crate::signature::trail::{Act, TrailAction};

/// What a person agreed to, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent(pub &'static str);

/// What became of a code that a person typed: a wrong one counts, so the step is kept in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The step.
    pub step: Step,
    /// Whether it was right.
    pub judged: Result<(), CodeRefused>,
}

impl Envelope {
    /// The signer whose live link this is: that of an open envelope, whose turn it is or was, and who was not replaced.
    ///
    /// # Errors
    /// [`EnvelopeRefused`]
    pub fn by_link(&self, link: &LinkHash, act: &Act) -> Result<&Signer, EnvelopeRefused> {
        let has = |signer: &&Signer| signer.access.is_some_and(|access| access.hash == *link);
        let signer = self.signers.iter().find(has).ok_or(EnvelopeRefused::UnknownSigner)?;
        self.is_open(act.at)?;
        match &signer.status {
            SignerStatus::Waiting => Err(EnvelopeRefused::NotYourTurn),
            SignerStatus::Replaced { .. } => Err(EnvelopeRefused::LinkDead),
            SignerStatus::Notified { .. }
            | SignerStatus::Viewed { .. }
            | SignerStatus::Signed { .. }
            | SignerStatus::Declined { .. } => Ok(signer),
        }
    }

    /// Says that a signer opened the documents; `None` when that was said before.
    ///
    /// # Errors
    /// Those of [`Envelope::by_link`].
    pub fn view(self, link: &LinkHash, act: &Act) -> Result<Option<Step>, EnvelopeRefused> {
        let signer = self.by_link(link, act)?;
        let SignerStatus::Notified { at: notified_at } = signer.status else { return Ok(None) };
        let id = signer.id;
        let mut step = Step::of(self);
        step.set(id, SignerStatus::Viewed { notified_at, at: act.at });
        step.note(act, TrailAction::SignerViewed, None);
        Ok(Some(step))
    }

    /// Makes a code for a signer; the mail that it is sent with makes it again.
    ///
    /// # Errors
    /// [`EnvelopeRefused`]
    pub fn request_code(
        self,
        link: &LinkHash,
        (key, salt): (&CeremonyKey, Salt),
        act: &Act,
    ) -> Result<Step, EnvelopeRefused> {
        let signer = self.acting(link, act)?;
        self.has_room()?;
        let (id, address) = (signer.id, signer.email.as_str().to_owned());
        if signer.auth != SignerAuth::EmailOtp {
            return Err(CodeRefused::NotNeeded.into());
        }
        let (codes, _) = signer.codes.request((key, id, salt), act.at)?;
        let mut step = Step::of(self);
        step.set_codes(id, codes);
        step.note(act, TrailAction::CodeSent, Some(address));
        step.mail(id, MailKind::Code);
        Ok(step)
    }

    /// Judges a code that a signer typed.
    ///
    /// # Errors
    /// [`EnvelopeRefused`]
    pub fn prove_code(
        self,
        link: &LinkHash,
        (key, typed): (&CeremonyKey, &str),
        act: &Act,
    ) -> Result<Proved, EnvelopeRefused> {
        let signer = self.acting(link, act)?;
        self.has_room()?;
        let id = signer.id;
        let (codes, judged) = signer.codes.prove((key, id), typed, act.at);
        let mut step = Step::of(self);
        let unchanged = step.envelope.signer(id).is_some_and(|signer| signer.codes == codes);
        step.set_codes(id, codes);
        match judged {
            Ok(()) => step.note(act, TrailAction::CodeProved, Some(codes.proof(act.at)?)),
            Err(_) if unchanged => {}
            Err(_) => step.note(act, TrailAction::CodeFailed, None),
        }
        Ok(Proved { step, judged })
    }

    /// Signs, or approves. The last one completes the envelope.
    ///
    /// # Errors
    /// [`EnvelopeRefused`]
    pub fn sign(
        self,
        link: &LinkHash,
        consent: &Consent,
        made: &Ink,
        act: &Act,
    ) -> Result<Step, EnvelopeRefused> {
        let signer = self.acting(link, act)?;
        let id = signer.id;
        let SignerStatus::Viewed { notified_at, at: viewed_at } = signer.status else {
            return Err(EnvelopeRefused::NotViewed);
        };
        if signer.auth == SignerAuth::EmailOtp {
            signer.codes.proof(act.at)?;
        }
        let mut step = Step::of(self);
        step.note(act, TrailAction::SignerConsented, Some(consent.0.to_owned()));
        step.set(id, SignerStatus::Signed { notified_at, viewed_at, at: act.at });
        let details = format!("{} sha256 {}", made.kind().name(), made.digest());
        step.note(act, TrailAction::SignerSigned, Some(details));
        let required = step.envelope.signers.iter().filter(|signer| signer.is_required());
        if required.clone().all(Signer::has_signed) {
            let sent_at = step.envelope.sent_at()?;
            step.envelope.status = EnvelopeStatus::Completed { sent_at, at: act.at, sealed: None };
            step.note(act, TrailAction::Completed, None);
        } else {
            step.notify(act);
        }
        Ok(step)
    }

    /// Declines, which ends the envelope.
    ///
    /// # Errors
    /// [`EnvelopeRefused`]
    pub fn decline(self, link: &LinkHash, reason: String, act: &Act) -> Result<Step, EnvelopeRefused> {
        let signer = self.acting(link, act)?;
        let id = signer.id;
        let SignerStatus::Viewed { notified_at, at: viewed_at } = signer.status else {
            return Err(EnvelopeRefused::NotViewed);
        };
        let sent_at = self.sent_at()?;
        let mut step = Step::of(self);
        step.note(act, TrailAction::SignerDeclined, Some(reason.clone()));
        step.set(id, SignerStatus::Declined { notified_at, viewed_at, at: act.at, reason });
        step.envelope.status = EnvelopeStatus::Declined { sent_at, at: act.at };
        step.note(act, TrailAction::Declined, None);
        Ok(step)
    }

    /// The signer of a live link, who has not signed.
    fn acting(&self, link: &LinkHash, act: &Act) -> Result<&Signer, EnvelopeRefused> {
        let signer = self.by_link(link, act)?;
        if signer.is_asked() { Ok(signer) } else { Err(EnvelopeRefused::SignerDone(signer.status.name())) }
    }
}

impl Step {
    fn set_codes(&mut self, id: SignerId, codes: crate::signature::code::Codes) {
        if let Some(signer) = self.envelope.signers.iter_mut().find(|signer| signer.id == id) {
            signer.codes = codes;
        }
    }
}
