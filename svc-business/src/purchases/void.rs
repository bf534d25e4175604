//! Voiding an approved document: its number stays used.

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use thiserror::Error;

use crate::books::lock::{Locks, PeriodLocked, TaxPeriodSubmitted};
use crate::party::line;
use crate::purchases::document::{Action, Status, SupplierDocument, Void, WrongState};

/// Why a document cannot be voided.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum VoidRefused {
    /// It is not approved: `not_approved`, `document_rejected` or `document_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// It has payments: `document_has_payments`, a conflict.
    #[error("the document has payments")]
    HasPayments,
    /// Its day of accounting is locked: `period_locked`, a conflict.
    #[error(transparent)]
    Locked(#[from] PeriodLocked),
    /// A submitted return has its tax: `return_submitted`, a conflict; a credit note puts it right instead.
    #[error("a submitted return has the tax of the document: ask for a credit note instead")]
    Submitted(#[source] TaxPeriodSubmitted),
    /// The reason breaks rules: `required`, `too_long` or `invalid_characters` on `reason`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
}

impl SupplierDocument {
    /// Voids an approved document for this reason. Its entry is reversed, and fixed assets that it became and that are
    /// drafts go away.
    ///
    /// # Errors
    /// [`VoidRefused`].
    pub fn void(self, reason: &str, now: Timestamp, locks: &Locks) -> Result<Self, VoidRefused> {
        let approval = self.approved(Action::Void)?.clone();
        let mut validator = Validator::new();
        let reason = line(&mut validator, "reason", reason, 500);
        validator.finish()?;
        if !approval.settlement.payments().is_empty() {
            return Err(VoidRefused::HasPayments);
        }
        locks.judge(approval.accounting_date)?;
        if self.is_declared() {
            locks.judge_tax(approval.accounting_date).map_err(VoidRefused::Submitted)?;
            if self.content.is_self_assessed() {
                locks.judge_tax(self.output_date()).map_err(VoidRefused::Submitted)?;
            }
        }
        let void = Void { reason: reason.unwrap_or_default(), at: now };
        Ok(Self { status: Status::Voided { approval: Box::new(approval), void }, ..self })
    }
}
