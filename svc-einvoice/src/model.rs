//! An invoice as a document to exchange: the semantic model of EN 16931-1.
//!
//! Business terms (BT) and groups (BG) of the standard stand beside the members that carry them. What the standard
//! lacks and Spain needs has members of its own: withholdings (IRPF), the equivalence surcharge, the reasons of a
//! corrective invoice, and the address behind the QR code of VERI\*FACTU.
//!
//! Amounts are signed: a document that takes something back has negative ones, whatever its format makes of that.
//! Nothing here computes or checks; the figures come from who keeps the books.

mod amounts;
mod kind;
mod line;
mod party;
mod payment;
mod tax;

use svc_core::money::Currency;
use time::Date;

pub use self::amounts::{BaseCurrency, Totals};
pub use self::kind::{Correction, CorrectionMethod, CorrectionReason, Kind, Language, Preceding};
pub use self::line::{Adjustment, Line};
pub use self::party::{Address, Party};
pub use self::payment::{Delivery, Payment, PaymentMethod, Period, References};
pub use self::tax::{Exemption, Tax, TaxCategory, TaxRate, Withholding};

/// A document: what a seller asks of a buyer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// What it is (BT-3).
    pub kind: Kind,
    /// Its number (BT-1); empty for a draft.
    pub number: String,
    /// The day of issue (BT-2).
    pub issue_date: Option<Date>,
    /// The day on which the tax falls due, where it is another one (BT-7).
    pub operation_date: Option<Date>,
    /// The currency of all amounts (BT-5).
    pub currency: Currency,
    /// The seller's own currency, where it is another one (BT-6).
    pub base: Option<BaseCurrency>,
    /// The language of its texts. No part of EN 16931.
    pub language: Language,
    /// Who sells (BG-4).
    pub seller: Party,
    /// Who buys (BG-7); a simplified invoice may not say.
    pub buyer: Option<Party>,
    /// When and where to (BG-13).
    pub delivery: Option<Delivery>,
    /// The days that it is for (BG-14).
    pub period: Option<Period>,
    /// Whether prices, line amounts and discounts include the tax, as documents for consumers have them.
    ///
    /// Formats to exchange know prices without tax alone; see [`exchange_form`](crate::exchange_form).
    pub prices_include_tax: bool,
    /// What is sold (BG-25).
    pub lines: Vec<Line>,
    /// What is taken off the whole document, a part for each tax (BG-20).
    pub discounts: Vec<Adjustment>,
    /// What is put on top of the whole document, a part for each tax (BG-21).
    pub charges: Vec<Adjustment>,
    /// One for each rate (BG-23).
    pub taxes: Vec<Tax>,
    /// What the buyer keeps back and pays to the tax office (IRPF), one for each rate. No part of EN 16931.
    pub withholdings: Vec<Withholding>,
    /// The sums (BG-22).
    pub totals: Totals,
    /// How it is to be paid (BG-16).
    pub payment: Payment,
    /// What it refers to.
    pub references: References,
    /// Free texts (BT-22).
    pub notes: Vec<String>,
    /// The address behind the QR code of VERI\*FACTU (Orden HAC/1177/2024 art. 20 and 21); BT-124 in UBL.
    pub verification_url: Option<String>,
}

impl Invoice {
    /// A document with nothing in it: no lines, and zero for every sum.
    #[must_use]
    pub fn empty(kind: Kind, currency: Currency) -> Self {
        Self {
            kind,
            number: String::new(),
            issue_date: None,
            operation_date: None,
            currency,
            base: None,
            language: Language::Spanish,
            seller: Party::default(),
            buyer: None,
            delivery: None,
            period: None,
            prices_include_tax: false,
            lines: Vec::new(),
            discounts: Vec::new(),
            charges: Vec::new(),
            taxes: Vec::new(),
            withholdings: Vec::new(),
            totals: Totals::zero(currency),
            payment: Payment::default(),
            references: References::default(),
            notes: Vec::new(),
            verification_url: None,
        }
    }
}
