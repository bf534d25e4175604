//! Giving a signature to another person.

use svc_core::id::SignerId;

use super::{EnvelopeRefused, Step};
use crate::signature::MOST_SIGNERS_EVER;
use crate::signature::signer::{Signer, SignerStatus};
use crate::signature::state::Envelope;
use crate::signature::trail::{Act, TrailAction};

impl Envelope {
    /// Gives the place of `old` to `new`, who takes role, order and the way of being identified; the link of the old one
    /// is dead from now on.
    ///
    /// # Errors
    /// [`EnvelopeRefused`] of one that is not open, and of a signer who signed, declined or was replaced.
    pub fn reassign(self, old: SignerId, new: Signer, act: &Act) -> Result<Step, EnvelopeRefused> {
        self.is_open(act.at)?;
        let replaced = self.signer(old).ok_or(EnvelopeRefused::UnknownSigner)?.clone();
        match &replaced.status {
            SignerStatus::Waiting | SignerStatus::Notified { .. } | SignerStatus::Viewed { .. } => {}
            done @ (SignerStatus::Signed { .. }
            | SignerStatus::Declined { .. }
            | SignerStatus::Replaced { .. }) => return Err(EnvelopeRefused::SignerDone(done.name())),
        }
        if self.signers.len() >= MOST_SIGNERS_EVER {
            return Err(EnvelopeRefused::TooManySigners);
        }
        let (notified_at, viewed_at) = (replaced.status.notified_at(), replaced.status.viewed_at());
        let by = new.id;
        let mut step = Step::of(self);
        step.set(old, SignerStatus::Replaced { notified_at, viewed_at, by });
        step.envelope.signers.push(Signer {
            role: replaced.role,
            order: replaced.order,
            auth: replaced.auth,
            status: SignerStatus::Waiting,
            ..new
        });
        step.note(act, TrailAction::SignerReplaced, Some(format!("{old} {by}")));
        step.notify(act);
        Ok(step)
    }
}
