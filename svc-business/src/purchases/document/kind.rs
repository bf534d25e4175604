//! Kinds of supplier documents, and where they come from.

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocType {
    /// A full invoice: `invoice`
    Invoice,
    /// A simplified invoice: `simplified_invoice`
    SimplifiedInvoice,
    /// It takes something back, with amounts below zero: `credit_note`
    CreditNote,
    /// A paper that gives no right to deduct VAT, and is in no VAT book: `expense`
    Expense,
    /// What customs charge for an import (*DUA*): `import_vat`
    ImportVat,
}

svc_core::wire_names!(DocType {
    Invoice = "invoice",
    SimplifiedInvoice = "simplified_invoice",
    CreditNote = "credit_note",
    Expense = "expense",
    ImportVat = "import_vat",
});

/// How a document came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A client wrote it: `manual`
    Manual,
    /// As a file that people read: `upload`
    Upload,
    /// As an electronic invoice: `xml`
    Xml,
    /// By e-mail: `email`
    Email,
}

svc_core::wire_names!(Origin { Manual = "manual", Upload = "upload", Xml = "xml", Email = "email" });

impl DocType {
    /// Whether it is in the book of received documents, which gives it a number and a right to deduct its tax (RD
    /// 1624/1992 art. 64).
    #[must_use]
    pub const fn is_registered(self) -> bool {
        match self {
            Self::Invoice | Self::SimplifiedInvoice | Self::CreditNote | Self::ImportVat => true,
            Self::Expense => false,
        }
    }

    /// Whether its lines are what the goods are worth to customs, not what they cost: those are owed to the supplier
    /// abroad, and by this document only the tax is.
    #[must_use]
    pub const fn charges_tax_alone(self) -> bool {
        match self {
            Self::ImportVat => true,
            Self::Invoice | Self::SimplifiedInvoice | Self::CreditNote | Self::Expense => false,
        }
    }
}
