//! What returns are computed from: facts of taxes and of the ledger, named without the terms of the books.

mod kinds;
mod party;

use rust_decimal::Decimal;
use svc_core::money::{Amount, MoneyError};
use time::Date;

pub use self::kinds::{FactKind, Rectifies, Treatment, WithholdingKey};
pub use self::party::Party;

/// What the caller finds a fact by again. Returns repeat it and do not read it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(pub String);

/// What one document means for one tax at one rate.
///
/// Amounts are euros and have the sign of what they count: those of a rectification that reduces are negative. An
/// acquisition on which the company charges itself the tax is two facts: [`FactKind::VatSelfAssessed`] and
/// [`FactKind::VatInput`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxFact {
    /// Which tax, and on which side.
    pub kind: FactKind,
    /// How the law treats the operation; [`Treatment::Ordinary`] for withholdings.
    pub treatment: Treatment,
    /// Percent: 21, or 5.2 of the surcharge.
    pub rate: Decimal,
    /// Whether it is of an investment good (Ley 37/1992 art. 108).
    pub investment: bool,
    /// Whether it rectifies an earlier document.
    pub rectifies: Rectifies,
    /// What the tax is of.
    pub base: Amount,
    /// The tax.
    pub quota: Amount,
    /// How much of the tax can be deducted. Only [`FactKind::VatInput`] is asked for it.
    pub deductible: Amount,
    /// The income that tax is withheld on. Facts of VAT have it when their document bears withholding too, and model 347
    /// leaves them out then, because 180 or 190 declares them.
    pub withholding: Option<WithholdingKey>,
    /// With whom.
    pub party: Option<Party>,
    /// The day that says the period.
    pub date: Date,
    /// What the caller finds it by.
    pub reference: Reference,
}

impl TaxFact {
    /// What counts for operations with third parties: the tax is included (RD 1065/2007 art. 34.2).
    ///
    /// The base of the surcharge is that of its VAT already, and who charges itself the tax pays the base alone.
    pub(crate) fn invoiced(&self) -> Result<Amount, MoneyError> {
        match self.kind {
            FactKind::SurchargeOutput => Ok(self.quota),
            FactKind::VatOutput | FactKind::VatInput if self.treatment.charges_itself() => Ok(self.base),
            FactKind::VatOutput | FactKind::VatInput => self.base.plus(self.quota),
            FactKind::VatSelfAssessed | FactKind::WithholdingPractised | FactKind::WithholdingBorne => {
                Ok(Amount::zero(self.base.currency()))
            }
        }
    }
}

/// The balance of a ledger account over the dates that a form reads: [`Form::reads`](crate::Form::reads).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerFact {
    /// The code of the account, or of a group of at least three digits: `7050000`, `630`.
    pub account: String,
    /// Debit less credit, in euros, without the entry that closes the year.
    pub balance: Amount,
    /// What the caller finds it by.
    pub reference: Reference,
}
