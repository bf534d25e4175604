//! Tags that tell tax returns what an entry means for a tax.

use std::fmt;
use std::str::FromStr;

use svc_core::id::ContactId;
use svc_core::money::Amount;
use thiserror::Error;
use time::Date;

use crate::trade::{ExemptionCode, Supply};

/// Which tax a tag counts, and on which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagKind {
    /// VAT charged: `vat_output`
    VatOutput,
    /// VAT paid: `vat_input`
    VatInput,
    /// Equivalence surcharge charged to retailers: `surcharge_output`
    SurchargeOutput,
    /// Tax withheld from others: `withholding_practised`
    WithholdingPractised,
    /// Tax withheld from the company: `withholding_borne`
    WithholdingBorne,
}

svc_core::wire_names!(TagKind {
    VatOutput = "vat_output",
    VatInput = "vat_input",
    SurchargeOutput = "surcharge_output",
    WithholdingPractised = "withholding_practised",
    WithholdingBorne = "withholding_borne",
});

/// The name of a tax at a rate, such as `es_vat_21`: 1 to 40 lower-case letters, digits and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaxCode(String);

/// Not the name of a tax.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a tax code such as es_vat_21")]
pub struct TaxCodeError;

impl FromStr for TaxCode {
    type Err = TaxCodeError;

    fn from_str(text: &str) -> Result<Self, TaxCodeError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let holds = (1..=40).contains(&text.len()) && text.bytes().all(plain);
        holds.then(|| Self(text.to_owned())).ok_or(TaxCodeError)
    }
}

impl fmt::Display for TaxCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an entry means for a tax: returns read tags and nothing else.
///
/// Amounts are in the base currency and have the sign of what they count: those of a rectification and of a reversal
/// are negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxTag {
    /// Which tax, and on which side.
    pub kind: TagKind,
    /// The tax at its rate.
    pub tax_code: TaxCode,
    /// What the tax is of.
    pub base: Amount,
    /// The tax.
    pub quota: Amount,
    /// How much of the tax can be deducted; all of it when missing. Only VAT that was paid has it.
    pub deductible_quota: Option<Amount>,
    /// When the tax falls due, which says the period of its return.
    pub tax_date: Date,
    /// What returns tell apart among taxes of one code.
    pub particulars: Particulars,
    /// With whom.
    pub contact: Option<ContactId>,
    /// With whom when it was posted, which the hash of its entry was made of.
    pub posted_contact: Option<ContactId>,
}

/// What returns tell apart among taxes of one code; nothing where they do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Particulars {
    /// Why no tax is charged, of a code that has several reasons.
    pub exemption: Option<ExemptionCode>,
    /// What is supplied.
    pub supply: Option<Supply>,
    /// Of a tag that rectifies an earlier document: when the tax of that one fell due; its own date where that is not
    /// known.
    pub rectifies: Option<Date>,
}

impl TaxTag {
    /// How much of the tax can be deducted.
    #[must_use]
    pub fn deductible(&self) -> Amount {
        self.deductible_quota.unwrap_or(self.quota)
    }

    /// The tag that undoes this one, on its own date or on another one.
    #[must_use]
    pub(super) fn negated(&self, tax_date: Option<Date>) -> Self {
        Self {
            base: self.base.negated(),
            quota: self.quota.negated(),
            deductible_quota: self.deductible_quota.map(Amount::negated),
            tax_date: tax_date.unwrap_or(self.tax_date),
            ..self.clone()
        }
    }
}
