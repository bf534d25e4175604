//! Kinds of sales documents.

use super::Rectification;

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocType {
    /// A full invoice: `invoice`
    Invoice,
    /// A simplified invoice, which need not name its customer: `simplified_invoice`
    SimplifiedInvoice,
    /// A *factura rectificativa*, which puts another document right: `rectifying`
    Rectifying,
    /// An announcement of an invoice: `proforma`
    Proforma,
    /// An offer: `quote`
    Quote,
}

svc_core::wire_names!(DocType {
    Invoice = "invoice",
    SimplifiedInvoice = "simplified_invoice",
    Rectifying = "rectifying",
    Proforma = "proforma",
    Quote = "quote",
});

/// What a document is, with what only that type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A full invoice.
    Invoice,
    /// A simplified invoice.
    SimplifiedInvoice,
    /// It puts others right.
    Rectifying {
        /// Which ones, how and why.
        rectification: Rectification,
    },
    /// An announcement of an invoice.
    Proforma,
    /// An offer.
    Quote {
        /// What the customer says to it.
        acceptance: Acceptance,
    },
}

/// What the customer says to a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Nothing yet: `pending`
    Pending,
    /// `accepted`
    Accepted,
    /// `rejected`
    Rejected,
    /// Nothing, until it was due: `expired`
    Expired,
}

svc_core::wire_names!(Acceptance {
    Pending = "pending",
    Accepted = "accepted",
    Rejected = "rejected",
    Expired = "expired",
});

impl DocType {
    /// Whether it counts for taxes and books: it is owed and paid.
    #[must_use]
    pub const fn is_fiscal(self) -> bool {
        match self {
            Self::Invoice | Self::SimplifiedInvoice | Self::Rectifying => true,
            Self::Proforma | Self::Quote => false,
        }
    }
}

impl Kind {
    /// The type.
    #[must_use]
    pub const fn doc_type(&self) -> DocType {
        match self {
            Self::Invoice => DocType::Invoice,
            Self::SimplifiedInvoice => DocType::SimplifiedInvoice,
            Self::Rectifying { .. } => DocType::Rectifying,
            Self::Proforma => DocType::Proforma,
            Self::Quote { .. } => DocType::Quote,
        }
    }

    /// What a rectifying document puts right.
    #[must_use]
    pub const fn rectification(&self) -> Option<&Rectification> {
        match self {
            Self::Rectifying { rectification } => Some(rectification),
            Self::Invoice | Self::SimplifiedInvoice | Self::Proforma | Self::Quote { .. } => None,
        }
    }

    /// What the customer says to a quote.
    #[must_use]
    pub const fn acceptance(&self) -> Option<Acceptance> {
        match self {
            Self::Quote { acceptance } => Some(*acceptance),
            Self::Invoice | Self::SimplifiedInvoice | Self::Rectifying { .. } | Self::Proforma => None,
        }
    }
}
