//! What of the tax of a received document can be deducted.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use svc_core::money::{Amount, Currency, MoneyError};

use super::share::{Part, apportion};
use super::tax::whole;
use super::{Calculation, LineFigures, TaxFigures};
use crate::trade::{Rate, Supply, TaxCode};

/// What of the tax of a received document can be deducted, and what of it is cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// One for each tax, each share of it that can be deducted, and each kind of supply: in the order of the taxes, the
    /// highest share first. Their quotas sum to those of the taxes.
    pub taxes: Vec<DeductionFigures>,
    /// The tax of each line that cannot be deducted, in the order of the document.
    pub costs: Vec<Amount>,
}

/// How the tax of a line is deducted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineDeduction {
    /// Percent of the tax that can be deducted.
    pub percent: Rate,
    /// What the line is, where returns tell it apart.
    pub supply: Option<Supply>,
}

impl LineDeduction {
    /// All of the tax, of a line that returns do not tell apart.
    pub const WHOLE: Self = Self { percent: Rate::MAX, supply: None };

    fn key(self) -> Key {
        (Reverse(self.percent), self.supply)
    }
}

/// What lines of one tax have in common that are counted together.
type Key = (Reverse<Rate>, Option<Supply>);

/// The lines of one tax that are deducted alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeductionFigures {
    /// The tax.
    pub tax: &'static TaxCode,
    /// Percent of the quota that can be deducted.
    pub percent: Rate,
    /// What they are, where returns tell it apart.
    pub supply: Option<Supply>,
    /// What their tax is computed on.
    pub base: Amount,
    /// Their tax: what the document charges, or what the customer owes itself.
    pub quota: Amount,
    /// What of it can be deducted.
    pub deductible: Amount,
}

impl Calculation {
    /// What can be deducted when the tax of each line is deducted like this, in the order of the document; all of it for
    /// lines beyond.
    ///
    /// The quota of a tax is shared over its lines that are deducted alike by largest remainder, and so is what of that is
    /// cost. A surcharge is cost altogether and not told here.
    ///
    /// # Errors
    /// [`MoneyError`], which figures of a document do not meet.
    pub fn deduction(&self, alike: &[LineDeduction]) -> Result<Deduction, MoneyError> {
        let alike = alike.iter().copied().chain(std::iter::repeat(LineDeduction::WHOLE));
        let lines: Vec<_> = self.lines.iter().zip(alike).collect();
        let mut deduction =
            Deduction { taxes: Vec::new(), costs: vec![Amount::zero(self.currency); self.lines.len()] };
        for tax in &self.taxes {
            let mut groups = BTreeMap::<Key, Vec<usize>>::new();
            for (at, (line, alike)) in lines.iter().enumerate() {
                if line.tax == tax.tax {
                    groups.entry(alike.key()).or_default().push(at);
                }
            }
            deduction.add(tax, &self.lines, &groups)?;
        }
        Ok(deduction)
    }
}

impl Deduction {
    /// What can be deducted in all.
    ///
    /// # Errors
    /// [`MoneyError`], which figures of a document do not meet.
    pub fn deductible(&self, currency: Currency) -> Result<Amount, MoneyError> {
        Amount::sum(self.taxes.iter().map(|tax| tax.deductible), currency)
    }

    fn add(
        &mut self,
        figures: &TaxFigures,
        lines: &[LineFigures],
        groups: &BTreeMap<Key, Vec<usize>>,
    ) -> Result<(), MoneyError> {
        let tax = figures.tax;
        let quota = figures.quota.plus(figures.self_assessed_quota)?;
        let mut bases = Vec::with_capacity(groups.len());
        let mut parts = Vec::with_capacity(groups.len());
        for (key, members) in groups {
            let of_group = members.iter().filter_map(|at| lines.get(*at)).map(|line| line.tax_base);
            let base = Amount::sum(of_group, quota.currency())?;
            parts.push(Part { numerator: product(base, &[tax.rate])?, standing: *key });
            bases.push(base);
        }
        let quotas = apportion(quota, whole().into(), &parts)?;
        for ((((Reverse(percent), supply), members), base), quota) in groups.iter().zip(bases).zip(quotas) {
            let deductible = percent.of(quota)?;
            let (percent, supply) = (*percent, *supply);
            self.taxes.push(DeductionFigures { tax, percent, supply, base, quota, deductible });
            self.share_cost(quota.minus(deductible)?, percent, lines, members)?;
        }
        Ok(())
    }

    /// Shares what cannot be deducted over the lines that it belongs to.
    fn share_cost(
        &mut self,
        cost: Amount,
        percent: Rate,
        lines: &[LineFigures],
        members: &[usize],
    ) -> Result<(), MoneyError> {
        let mut parts = Vec::with_capacity(members.len());
        for line in members.iter().filter_map(|at| lines.get(*at)) {
            let numerator = product(line.tax_base, &[line.tax.rate, percent.complement()])?;
            parts.push(Part { numerator, standing: line.standing() });
        }
        let whole = i128::from(whole());
        let denominator = whole.checked_mul(whole).ok_or(MoneyError::Range)?;
        for (at, share) in members.iter().zip(apportion(cost, denominator, &parts)?) {
            if let Some(known) = self.costs.get_mut(*at) {
                *known = share;
            }
        }
        Ok(())
    }
}

/// An amount times rates, in minor units over 100 % for each of them.
fn product(amount: Amount, rates: &[Rate]) -> Result<i128, MoneyError> {
    let rates = rates.iter().map(|rate| i128::from(rate.ten_thousandths()));
    rates.into_iter().try_fold(i128::from(amount.minor()), i128::checked_mul).ok_or(MoneyError::Range)
}
