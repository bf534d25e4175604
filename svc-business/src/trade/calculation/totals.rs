//! The sums of a document.

use svc_core::money::{Amount, Currency, MoneyError};

use super::{LineFigures, TaxFigures, WithholdingFigures};

/// The totals of a document: sums of figures that are rounded already. The BT numbers are those of EN 16931.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The lines, Σ net (BT-106); with tax where prices include it.
    pub lines: Amount,
    /// The discount of the document, Σ of its shares; with tax where prices include it.
    pub discount: Amount,
    /// What is taxed, Σ of the bases (BT-109).
    pub taxable: Amount,
    /// The tax that is charged, Σ of quotas and surcharges (BT-110).
    pub tax: Amount,
    /// Taxable and tax together (BT-112).
    pub total: Amount,
    /// What the customer keeps back.
    pub withholding: Amount,
    /// The total without what is kept back.
    pub payable: Amount,
}

impl Totals {
    pub(super) fn of(
        currency: Currency,
        lines: &[LineFigures],
        discount: Amount,
        taxes: &[TaxFigures],
        withholdings: &[WithholdingFigures],
    ) -> Result<Self, MoneyError> {
        let taxable = Amount::sum(taxes.iter().map(|tax| tax.base), currency)?;
        let charged = taxes.iter().flat_map(|tax| [tax.quota, tax.surcharge_quota]);
        let tax = Amount::sum(charged, currency)?;
        let total = taxable.plus(tax)?.stated()?;
        let withholding = Amount::sum(withholdings.iter().map(|one| one.amount), currency)?;
        Ok(Self {
            lines: Amount::sum(lines.iter().map(|line| line.net), currency)?.stated()?,
            discount,
            taxable: taxable.stated()?,
            tax: tax.stated()?,
            total,
            withholding,
            payable: total.minus(withholding)?.stated()?,
        })
    }
}
