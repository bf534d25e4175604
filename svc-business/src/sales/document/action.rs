//! What can be done with a document, and where it must be for that.

use thiserror::Error;

/// What is done with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `issue`
    Issue,
    /// `update`
    Update,
    /// `delete`
    Delete,
    /// `send`
    Send,
    /// `pay`
    Pay,
    /// `remove_payment`
    RemovePayment,
    /// `void`
    Void,
    /// `rectify`
    Rectify,
    /// `accept`
    Accept,
    /// `reject`
    Reject,
    /// `expire`
    Expire,
    /// `convert`
    Convert,
}

svc_core::wire_names!(Action {
    Issue = "issue",
    Update = "update",
    Delete = "delete",
    Send = "send",
    Pay = "pay",
    RemovePayment = "remove_payment",
    Void = "void",
    Rectify = "rectify",
    Accept = "accept",
    Reject = "reject",
    Expire = "expire",
    Convert = "convert",
});

/// Where a document is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// `draft`
    Draft,
    /// `issued`
    Issued,
    /// `voided`
    Voided,
}

svc_core::wire_names!(State { Draft = "draft", Issued = "issued", Voided = "voided" });

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
    /// The code of the conflict: `not_issued`, `invoice_issued` or `invoice_voided`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self.state {
            State::Draft => "not_issued",
            State::Issued => "invoice_issued",
            State::Voided => "invoice_voided",
        }
    }
}
