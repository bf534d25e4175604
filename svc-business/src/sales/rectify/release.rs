//! Undoing a rectification: the rectifying document was voided.

use svc_core::id::SalesDocumentId;
use thiserror::Error;

use super::differences;
use crate::sales::document::{Action, Issue, Means, SalesDocument, SettlementError, WrongState};

/// Why a rectification cannot be undone; each is a conflict, and the rectifying document cannot be voided.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReleaseRefused {
    /// The original is not issued.
    #[error(transparent)]
    State(#[from] WrongState),
    /// What rectified the original since then would be too much: `over_rectified`.
    #[error("what was rectified since then would be more than there is")]
    Over,
    /// Payments of the original stand against it.
    #[error(transparent)]
    Settlement(#[from] SettlementError),
}

impl SalesDocument {
    /// The document as it is without the rectification by another one, which is voided in the same unit of work. The
    /// payment by which that one took its place goes as well.
    ///
    /// # Errors
    /// [`ReleaseRefused`].
    pub fn release(self, rectifying: SalesDocumentId) -> Result<Self, ReleaseRefused> {
        let mut issue = self.issued(Action::Rectify)?.clone();
        issue.rectifications.retain(|one| one.document != rectifying);
        let made = Means::Replacement { document: rectifying };
        let settlement = issue.settlement.without(|payment| payment.means == made)?;
        let released = self.with_issue(Issue { settlement, ..issue });
        let holds = differences::holds(&released).map_err(SettlementError::from)?;
        if holds { Ok(released) } else { Err(ReleaseRefused::Over) }
    }
}
