//! The taxes of a document: base, quota and surcharge of each.

use std::collections::BTreeMap;

use svc_core::money::{Amount, Currency, MoneyError};

use super::LineFigures;
use crate::trade::{Rate, TaxCode};

/// The figures of one tax of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxFigures {
    /// The tax: code, category, rate and surcharge rate.
    pub tax: &'static TaxCode,
    /// What it is computed on.
    pub base: Amount,
    /// The tax that the document charges; zero for one that the customer owes itself.
    pub quota: Amount,
    /// The surcharge that the document charges.
    pub surcharge_quota: Amount,
    /// The tax that the customer owes itself, which is in no total; zero for one that the document charges.
    pub self_assessed_quota: Amount,
}

/// The figures of each tax, from lines that have their share of the discount.
pub(super) fn figures(
    currency: Currency,
    prices_include_tax: bool,
    lines: &[LineFigures],
) -> Result<Vec<TaxFigures>, MoneyError> {
    let mut groups = BTreeMap::<&'static TaxCode, Vec<Amount>>::new();
    for line in lines {
        groups.entry(line.tax).or_default().push(line.discounted()?);
    }
    let figures = |(tax, amounts)| {
        let sum = Amount::sum(amounts, currency)?;
        if prices_include_tax { TaxFigures::within(tax, sum) } else { TaxFigures::on(tax, sum) }
    };
    groups.into_iter().map(figures).collect()
}

impl TaxFigures {
    /// The tax on a base.
    fn on(tax: &'static TaxCode, base: Amount) -> Result<Self, MoneyError> {
        let quota = tax.charged_rate().of(base)?;
        let surcharge_quota = tax.surcharge.of(base)?;
        Self { tax, base, quota, surcharge_quota, self_assessed_quota: base }.assessed()
    }

    /// The tax within a sum that includes it: what the base and the surcharge leave is the quota.
    fn within(tax: &'static TaxCode, sum: Amount) -> Result<Self, MoneyError> {
        let numerator = i128::from(sum.minor()).checked_mul(whole().into()).ok_or(MoneyError::Range)?;
        let base = Amount::from_ratio(numerator, whole_with(tax)?, sum.currency())?;
        let surcharge_quota = tax.surcharge.of(base)?;
        let quota = sum.minus(base)?.minus(surcharge_quota)?;
        Self { tax, base, quota, surcharge_quota, self_assessed_quota: base }.assessed()
    }

    fn assessed(self) -> Result<Self, MoneyError> {
        let rate = if self.tax.self_assessed { self.tax.rate } else { Rate::ZERO };
        Ok(Self { self_assessed_quota: rate.of(self.base)?, ..self })
    }
}

/// 100 %.
pub(super) fn whole() -> i64 {
    Rate::MAX.ten_thousandths()
}

/// 100 % and the tax on top, in the same units.
pub(super) fn whole_with(tax: &TaxCode) -> Result<i128, MoneyError> {
    let parts = [whole(), tax.charged_rate().ten_thousandths(), tax.surcharge.ten_thousandths()];
    parts.into_iter().try_fold(0_i128, |sum, part| sum.checked_add(part.into())).ok_or(MoneyError::Range)
}
