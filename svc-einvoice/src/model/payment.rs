//! How a document is paid, and what it refers to.

use time::Date;

/// How it is to be paid (BG-16).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payment {
    /// By when (BT-9).
    pub due_date: Option<Date>,
    /// The terms in words (BT-20).
    pub terms: Option<String>,
    /// The means (BT-81).
    pub method: Option<PaymentMethod>,
    /// The account to pay to, without spaces (BT-84).
    pub iban: Option<String>,
    /// The bank of that account (BT-86).
    pub bic: Option<String>,
    /// What the transfer should say (BT-83).
    pub remittance: Option<String>,
}

/// The means of a payment (BT-81; code list UNCL 4461).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentMethod {
    /// Cash.
    Cash,
    /// Cheque.
    Cheque,
    /// Credit transfer.
    Transfer,
    /// Card.
    Card,
    /// Direct debit.
    DirectDebit,
    /// Set off against what the seller owes.
    Offset,
    /// Anything else.
    Other,
}

/// When and where something was delivered (BG-13).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The day (BT-72).
    pub date: Option<Date>,
    /// The country by ISO 3166-1 alpha-2 (BT-80).
    pub country: Option<String>,
}

/// A time, both days included (BG-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day (BT-73).
    pub start: Date,
    /// The last day (BT-74).
    pub end: Date,
}

/// What a document refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// What the buyer wants to see on it (BT-10).
    pub buyer: Option<String>,
    /// The buyer's order (BT-13).
    pub order: Option<String>,
    /// The contract (BT-12).
    pub contract: Option<String>,
}
