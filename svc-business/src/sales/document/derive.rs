//! Drafts that are made of another document.

use svc_core::resource::Version;
use thiserror::Error;

use super::{Acceptance, Action, DocType, Ids, Kind, Plan, SalesDocument, Status, WrongState};
use crate::party::Extension;

/// Why a document cannot be converted; each is a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ConvertRefused {
    /// It is a draft or was voided.
    #[error(transparent)]
    State(#[from] WrongState),
    /// Only a quote or a proforma leads to an invoice, and only a quote to a proforma: `not_convertible`.
    #[error("a document of the type {from} cannot become one of the type {to}")]
    Types {
        /// What it is.
        from: DocType,
        /// What it was to become.
        to: DocType,
    },
    /// The customer rejected the quote, or let it expire: `quote_rejected` or `quote_expired`.
    #[error("the quote is {}", .0.name())]
    Quote(Acceptance),
}

impl SalesDocument {
    /// A draft with the same content, whatever state this one is in: dates, number and payments are not copied.
    #[must_use]
    pub fn duplicate(&self, ids: &Ids<'_>) -> Self {
        let kind = match &self.kind {
            Kind::Quote { .. } => Kind::Quote { acceptance: Acceptance::Pending },
            Kind::Invoice | Kind::SimplifiedInvoice | Kind::Rectifying { .. } | Kind::Proforma => {
                self.kind.clone()
            }
        };
        self.drafted(kind, ids)
    }

    /// A draft of an invoice, a simplified one or a proforma made of an issued quote or proforma.
    ///
    /// # Errors
    /// [`ConvertRefused`].
    pub fn convert(&self, to: DocType, ids: &Ids<'_>) -> Result<Self, ConvertRefused> {
        self.issued(Action::Convert)?;
        let from = self.doc_type();
        let kind = match (from, to) {
            (DocType::Quote | DocType::Proforma, DocType::Invoice) => Kind::Invoice,
            (DocType::Quote | DocType::Proforma, DocType::SimplifiedInvoice) => Kind::SimplifiedInvoice,
            (DocType::Quote, DocType::Proforma) => Kind::Proforma,
            (
                DocType::Invoice
                | DocType::SimplifiedInvoice
                | DocType::Rectifying
                | DocType::Proforma
                | DocType::Quote,
                _,
            ) => return Err(ConvertRefused::Types { from, to }),
        };
        match self.kind.acceptance() {
            Some(refused @ (Acceptance::Rejected | Acceptance::Expired)) => {
                Err(ConvertRefused::Quote(refused))
            }
            Some(Acceptance::Pending | Acceptance::Accepted) | None => Ok(self.drafted(kind, ids)),
        }
    }

    /// A draft of this kind with what this one says.
    pub(crate) fn drafted(&self, kind: Kind, ids: &Ids<'_>) -> Self {
        let status = Status::Draft { plan: Plan::default() };
        Self {
            id: ids.make(),
            kind,
            status,
            content: self.content.copied(ids),
            operation_date: None,
            source: Some(self.id),
            extension: Extension { external_id: None, ..self.extension.clone() },
            version: Version::FIRST,
            created_at: ids.now,
            updated_at: ids.now,
            ..self.clone()
        }
    }
}
