//! Rejecting a document that was received, and taking it up again.

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use thiserror::Error;

use crate::party::line;
use crate::purchases::document::{Action, Rejection, Status, SupplierDocument, WrongState};

/// Why a document cannot be rejected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RejectRefused {
    /// It was judged before: `document_approved`, `document_rejected` or `document_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The reason breaks rules: `required`, `too_long` or `invalid_characters` on `reason`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
}

impl SupplierDocument {
    /// Rejects a document for this reason: it does not count.
    ///
    /// # Errors
    /// [`RejectRefused`].
    pub fn reject(self, reason: &str, now: Timestamp) -> Result<Self, RejectRefused> {
        let plan = self.plan(Action::Reject)?;
        let mut validator = Validator::new();
        let reason = line(&mut validator, "reason", reason, 500);
        validator.finish()?;
        let rejection = Rejection { reason: reason.unwrap_or_default(), at: now };
        Ok(Self { status: Status::Rejected { plan, rejection }, ..self })
    }

    /// Takes a rejected document up again: it is as when it was received. Another document may have its number by now,
    /// which [`SupplierDocument::duplicate_key`] tells.
    ///
    /// # Errors
    /// [`WrongState`].
    pub fn reopen(self) -> Result<Self, WrongState> {
        match self.status {
            Status::Rejected { plan, .. } => Ok(Self { status: Status::Received { plan }, ..self }),
            Status::Received { .. } | Status::Approved { .. } | Status::Voided { .. } => {
                Err(self.wrong(Action::Reopen))
            }
        }
    }
}
