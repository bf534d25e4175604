//! Refusals of envelopes.

use svc_business::signature::EnvelopeRefused;
use svc_core::error::{StoreError, ValidationErrors};

use super::{Code, Problem};

impl Problem {
    /// An envelope in this state has no sealed files.
    pub(crate) fn not_sealed(state: &'static str) -> Self {
        let detail = "the envelope has no sealed files: they are there a moment after everyone signed";
        Self::new(Code::NotSealed, detail).state(state)
    }
}

impl From<EnvelopeRefused> for Problem {
    fn from(refused: EnvelopeRefused) -> Self {
        let detail = refused.to_string();
        let of = |code, state| Self::new(code, detail.clone()).state(state);
        match refused {
            EnvelopeRefused::Closed(state) => of(Code::EnvelopeClosed, state),
            EnvelopeRefused::NotDraft(state) => of(Code::EnvelopeNotDraft, state),
            EnvelopeRefused::NotSent => of(Code::EnvelopeNotSent, "draft"),
            EnvelopeRefused::Superseded => Self::new(Code::EnvelopeSuperseded, detail),
            EnvelopeRefused::NotReissued => of(Code::EnvelopeCompleted, "completed"),
            EnvelopeRefused::Incomplete(why) => ValidationErrors::one("body", "incomplete", why).into(),
            EnvelopeRefused::UnknownSigner => {
                ValidationErrors::one("signerId", "unknown_reference", detail).into()
            }
            EnvelopeRefused::SignerDone(state) => of(Code::SignerDone, state),
            EnvelopeRefused::TooManySigners => Self::new(Code::TooManySigners, detail),
            EnvelopeRefused::RemindedLately => Self::new(Code::RemindedLately, detail),
            EnvelopeRefused::TooManyMails => Self::new(Code::TooManyMails, detail),
            EnvelopeRefused::TrailFull => Self::new(Code::TrailFull, detail),
            // No route of the API is called with a link.
            EnvelopeRefused::LinkDead
            | EnvelopeRefused::NotYourTurn
            | EnvelopeRefused::NotViewed
            | EnvelopeRefused::Code(_) => StoreError::backend(detail).into(),
        }
    }
}
