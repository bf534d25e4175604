//! The sums of a document.

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency, MoneyError};

/// The sums of a document (BG-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The lines (BT-106).
    pub lines: Amount,
    /// The discounts of the document (BT-107).
    pub discount: Amount,
    /// The charges of the document (BT-108).
    pub charge: Amount,
    /// What is taxed (BT-109).
    pub taxable: Amount,
    /// The tax with its surcharges (BT-110).
    pub tax: Amount,
    /// Both (BT-112).
    pub total: Amount,
    /// What the buyer keeps back and pays to the tax office.
    pub withholding: Amount,
    /// What is rounded at the end (BT-114).
    pub rounding: Amount,
    /// What the buyer has to pay in all: total − withholding + rounding.
    pub payable: Amount,
    /// What is paid already (a part of BT-113).
    pub paid: Amount,
    /// What is still to be paid: payable − paid (BT-115).
    pub due: Amount,
}

impl Totals {
    /// Zero everywhere.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        let zero = Amount::zero(currency);
        Self {
            lines: zero,
            discount: zero,
            charge: zero,
            taxable: zero,
            tax: zero,
            total: zero,
            withholding: zero,
            rounding: zero,
            payable: zero,
            paid: zero,
            due: zero,
        }
    }
}

/// The seller's own currency, of a document in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseCurrency {
    /// Which one (BT-6).
    pub currency: Currency,
    /// One unit of the document's currency is so many units of this one; zero where a document does not say.
    pub rate: Decimal,
    /// The tax in this currency (BT-111).
    pub tax: Amount,
}

impl BaseCurrency {
    /// An amount of the document in this currency, rounded half away from zero.
    ///
    /// # Errors
    /// [`MoneyError::Range`].
    pub fn convert(&self, amount: Amount) -> Result<Amount, MoneyError> {
        let exact = amount.decimal().checked_mul(self.rate).ok_or(MoneyError::Range)?;
        Amount::round(exact, self.currency)
    }
}
