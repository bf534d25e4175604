//! What became of a document that was sent.

use svc_core::clock::Timestamp;

use crate::sales::document::{Action, Issue, LastSend, SalesDocument, SendStatus, Status, WrongState};

impl SalesDocument {
    /// Judges whether it may be sent: only an issued document.
    ///
    /// # Errors
    /// [`WrongState`].
    pub fn judge_send(&self) -> Result<(), WrongState> {
        self.issued(Action::Send).map(|_| ())
    }

    /// Notes how a sending ended. It may have been voided meanwhile, for the mail goes its own way.
    ///
    /// # Errors
    /// [`WrongState`] of a draft.
    pub fn sent(self, status: SendStatus, at: Timestamp) -> Result<Self, WrongState> {
        let note = |issue: Box<Issue>| {
            let accepted = (status == SendStatus::Accepted).then_some(at);
            let sent_at = issue.sent_at.or(accepted);
            Box::new(Issue { sent_at, last_send: Some(LastSend { status, at }), ..*issue })
        };
        let state = self.state();
        let status = match self.status {
            Status::Draft { .. } => return Err(WrongState { action: Action::Send, state }),
            Status::Issued { issue } => Status::Issued { issue: note(issue) },
            Status::Voided { issue, void } => Status::Voided { issue: note(issue), void },
        };
        Ok(Self { status, ..self })
    }
}
