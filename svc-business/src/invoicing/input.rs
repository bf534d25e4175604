//! Members and forms that sales and purchases read alike.

mod line;
mod money;

use svc_core::wire::Form;
use svc_core::wire_names;

pub(crate) use self::line::{description, identity, member, tags};
pub use self::money::DiscountInput;
pub(crate) use self::money::{currency, discount, fx_rate};
use crate::contact::PaymentMethod;

/// An amount in the currency of the document, with its digits.
pub(crate) const AMOUNT: Form =
    Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 19).example("1210.00");
/// A quantity or a price.
pub(crate) const DECIMAL: Form =
    Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,6})?$").length(1, 21).example("85.50");
/// A rate of exchange.
pub(crate) const FX_RATE: Form =
    Form::pattern(r"^[0-9]{1,11}(\.[0-9]{1,8})?$").length(1, 20).example("1.0823");
/// The code of a tax.
pub(crate) const TAX_CODE: Form = Form::pattern("^[a-z0-9_]{1,40}$").length(1, 40).example("es_vat_21");
/// What a company sorts lines by.
pub(crate) const LINE_TAGS: Form = Form::each(&Form::text(0, 500)).keys(40).json(r#"{"project":"roof"}"#);

/// How a client may pay a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayMethod {
    /// `transfer`
    Transfer,
    /// `direct_debit`
    DirectDebit,
    /// `card`
    Card,
    /// `cash`
    Cash,
    /// `bill`
    Bill,
    /// `other`
    Other,
    /// Against another document: `offset`
    Offset,
}

wire_names!(PayMethod {
    Transfer = "transfer",
    DirectDebit = "direct_debit",
    Card = "card",
    Cash = "cash",
    Bill = "bill",
    Other = "other",
    Offset = "offset",
});

impl PayMethod {
    /// How the money moves; `None` where none does.
    #[must_use]
    pub const fn money(self) -> Option<PaymentMethod> {
        match self {
            Self::Transfer => Some(PaymentMethod::Transfer),
            Self::DirectDebit => Some(PaymentMethod::DirectDebit),
            Self::Card => Some(PaymentMethod::Card),
            Self::Cash => Some(PaymentMethod::Cash),
            Self::Bill => Some(PaymentMethod::Bill),
            Self::Other => Some(PaymentMethod::Other),
            Self::Offset => None,
        }
    }
}
