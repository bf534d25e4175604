//! What can be done with a document, and where it must be for that.

use thiserror::Error;

/// What is done with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `update`
    Update,
    /// `approve`
    Approve,
    /// `reject`
    Reject,
    /// `reopen`
    Reopen,
    /// `pay`
    Pay,
    /// `remove_payment`
    RemovePayment,
    /// `void`
    Void,
}

svc_core::wire_names!(Action {
    Update = "update",
    Approve = "approve",
    Reject = "reject",
    Reopen = "reopen",
    Pay = "pay",
    RemovePayment = "remove_payment",
    Void = "void",
});

/// Where a document is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// `received`
    Received,
    /// `approved`
    Approved,
    /// `rejected`
    Rejected,
    /// `voided`
    Voided,
}

svc_core::wire_names!(State {
    Received = "received",
    Approved = "approved",
    Rejected = "rejected",
    Voided = "voided",
});

/// The document is not where this action begins: a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the action {action} is not possible: the document is {state}")]
pub struct WrongState {
    /// What was to be done.
    pub action: Action,
    /// Where the document is: `currentState`.
    pub state: State,
}

impl WrongState {
    /// The code of the conflict: `not_approved`, `document_approved`, `document_rejected` or `document_voided`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self.state {
            State::Received => "not_approved",
            State::Approved => "document_approved",
            State::Rejected => "document_rejected",
            State::Voided => "document_voided",
        }
    }
}
