//! What a customer says to a quote.

use thiserror::Error;
use time::Date;

use crate::sales::document::{Acceptance, Action, Kind, SalesDocument, WrongState};

/// Why a quote cannot be answered; each is a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum QuoteRefused {
    /// It is a draft or was voided: `not_issued` or `invoice_voided`.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The document is no quote: `not_a_quote`.
    #[error("the document is no quote")]
    NotQuote,
    /// It has its answer: `quote_accepted`, `quote_rejected` or `quote_expired`.
    #[error("the quote is {}", .0.name())]
    Answered(Acceptance),
    /// It still holds, or an invoice was made of it: it does not expire.
    #[error("the quote does not expire")]
    Holds,
}

impl SalesDocument {
    /// The customer accepts the quote.
    ///
    /// # Errors
    /// [`QuoteRefused`].
    pub fn accept(self) -> Result<Self, QuoteRefused> {
        self.answered(Action::Accept, Acceptance::Accepted)
    }

    /// The customer rejects the quote.
    ///
    /// # Errors
    /// [`QuoteRefused`].
    pub fn reject(self) -> Result<Self, QuoteRefused> {
        self.answered(Action::Reject, Acceptance::Rejected)
    }

    /// The quote was due before today without an answer, and no document was made of it (`is_used`).
    ///
    /// # Errors
    /// [`QuoteRefused`].
    pub fn expire(self, today: Date, is_used: bool) -> Result<Self, QuoteRefused> {
        let over = self.due_date().is_some_and(|due| due < today) && !is_used;
        let expired = self.answered(Action::Expire, Acceptance::Expired)?;
        if over { Ok(expired) } else { Err(QuoteRefused::Holds) }
    }

    fn answered(self, action: Action, answer: Acceptance) -> Result<Self, QuoteRefused> {
        self.issued(action)?;
        match self.kind.acceptance() {
            None => Err(QuoteRefused::NotQuote),
            Some(Acceptance::Pending) => Ok(Self { kind: Kind::Quote { acceptance: answer }, ..self }),
            Some(other @ (Acceptance::Accepted | Acceptance::Rejected | Acceptance::Expired)) => {
                Err(QuoteRefused::Answered(other))
            }
        }
    }
}
