//! Why an entry is there.

/// Why an entry is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Written by a person or an integration: `manual`
    Manual,
    /// A sales document was issued: `sales`
    Sales,
    /// A supplier document was approved: `purchase`
    Purchase,
    /// A payment was recorded: `payment`
    Payment,
    /// A bank movement was reconciled: `bank`
    Bank,
    /// A fixed asset lost value with time: `depreciation`
    Depreciation,
    /// A fixed asset was sold, scrapped or lost: `disposal`
    Disposal,
    /// A tax return was submitted: `tax`
    Tax,
    /// The balances with which a year begins: `opening`
    Opening,
    /// Groups 6 and 7 become the result of the year: `regularisation`
    Regularisation,
    /// The balances with which a year ends: `closing`
    Closing,
    /// Another entry is undone: `reversal`
    Reversal,
}

svc_core::wire_names!(EntryKind {
    Manual = "manual",
    Sales = "sales",
    Purchase = "purchase",
    Payment = "payment",
    Bank = "bank",
    Depreciation = "depreciation",
    Disposal = "disposal",
    Tax = "tax",
    Opening = "opening",
    Regularisation = "regularisation",
    Closing = "closing",
    Reversal = "reversal",
});

impl EntryKind {
    /// Whether the entry carries whole balances from one place to another: VAT in it belongs to documents that have
    /// told their tags before, and a balance that has no contact stays without one.
    #[must_use]
    pub const fn carries_balances(self) -> bool {
        match self {
            Self::Tax | Self::Opening | Self::Regularisation | Self::Closing => true,
            Self::Manual
            | Self::Sales
            | Self::Purchase
            | Self::Payment
            | Self::Bank
            | Self::Depreciation
            | Self::Disposal
            | Self::Reversal => false,
        }
    }
}
