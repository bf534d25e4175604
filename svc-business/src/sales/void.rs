//! Voiding an issued document: its number stays used.

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use thiserror::Error;

use crate::books::lock::{Locks, PeriodLocked, TaxPeriodSubmitted};
use crate::party::line;
use crate::sales::document::{Action, SalesDocument, Status, Void, WrongState};

/// Why a document cannot be voided.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum VoidRefused {
    /// It is a draft or was voided: `not_issued` or `invoice_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// It has payments: `invoice_has_payments`, a conflict.
    #[error("the document has payments")]
    HasPayments,
    /// Another document put it right: `invoice_rectified`, a conflict.
    #[error("another document put it right")]
    Rectified,
    /// Its day of issue is locked: `period_locked`, a conflict.
    #[error(transparent)]
    Locked(#[from] PeriodLocked),
    /// A submitted return has its tax: `return_submitted`, a conflict; rectify it instead.
    #[error("a submitted return has the tax of the document: rectify it instead")]
    Submitted(#[source] TaxPeriodSubmitted),
    /// The reason breaks rules: `required`, `too_long` or `invalid_characters` on `reason`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
}

impl SalesDocument {
    /// Voids an issued document for this reason. What it rectified is given back by [`SalesDocument::release`], and its
    /// entry is reversed.
    ///
    /// # Errors
    /// [`VoidRefused`].
    pub fn void(self, reason: &str, now: Timestamp, locks: &Locks) -> Result<Self, VoidRefused> {
        let issue = self.issued(Action::Void)?.clone();
        let mut validator = Validator::new();
        let reason = line(&mut validator, "reason", reason, 500);
        validator.finish()?;
        if self.is_fiscal() {
            if !issue.settlement.payments().is_empty() {
                return Err(VoidRefused::HasPayments);
            }
            if !issue.rectifications.is_empty() {
                return Err(VoidRefused::Rectified);
            }
            locks.judge(issue.issue_date)?;
            let declared = self.tag_date().unwrap_or(issue.issue_date);
            locks.judge_tax(declared).map_err(VoidRefused::Submitted)?;
        }
        let void = Void { reason: reason.unwrap_or_default(), at: now, compliance: None };
        Ok(Self { status: Status::Voided { issue: Box::new(issue), void }, ..self })
    }
}
