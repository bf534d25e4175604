//! Kinds of sales documents.

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
