//! What the customer keeps back and pays to the tax office for the supplier (IRPF).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use svc_core::money::{Amount, Currency, MoneyError};

use super::LineFigures;
use crate::trade::Rate;

/// The figures of one rate that is withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithholdingFigures {
    /// Percent of the base.
    pub rate: Rate,
    /// The tax bases of its lines.
    pub base: Amount,
    /// What is kept back.
    pub amount: Amount,
}

/// The figures of each rate above zero, from lines that have their tax base; the highest rate first.
pub(super) fn figures(
    currency: Currency,
    lines: &[LineFigures],
) -> Result<Vec<WithholdingFigures>, MoneyError> {
    let mut groups = BTreeMap::<Reverse<Rate>, Vec<Amount>>::new();
    for line in lines.iter().filter(|line| line.withholding_rate > Rate::ZERO) {
        groups.entry(Reverse(line.withholding_rate)).or_default().push(line.tax_base);
    }
    let figures = |(Reverse(rate), bases): (Reverse<Rate>, Vec<Amount>)| {
        let base = Amount::sum(bases, currency)?;
        Ok(WithholdingFigures { rate, base, amount: rate.of(base)? })
    };
    groups.into_iter().map(figures).collect()
}
