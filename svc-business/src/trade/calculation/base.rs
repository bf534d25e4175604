//! The tax base of each line.

use svc_core::money::MoneyError;

use super::share::{Part, apportion};
use super::tax::{whole, whole_with};
use super::{LineFigures, TaxFigures};

/// Gives each line its tax base, so that the bases of the lines of a tax sum to the base of the tax.
///
/// Where prices include tax that is a share of the base: exactly (net − share) / (1 + rate + surcharge), brought to
/// whole minor units by largest remainder. The exact part does not follow the rounded base of the group, which says
/// nothing about a line when lines of both signs nearly cancel out.
pub(super) fn assign(
    prices_include_tax: bool,
    lines: &mut [LineFigures],
    taxes: &[TaxFigures],
) -> Result<(), MoneyError> {
    for line in lines.iter_mut() {
        line.tax_base = line.discounted()?;
    }
    if !prices_include_tax {
        return Ok(());
    }
    for figures in taxes {
        let mut group: Vec<_> = lines.iter_mut().filter(|line| line.tax == figures.tax).collect();
        let part = |line: &&mut LineFigures| {
            let numerator = i128::from(line.tax_base.minor()).checked_mul(whole().into());
            Ok(Part { numerator: numerator.ok_or(MoneyError::Range)?, standing: line.standing() })
        };
        let parts = group.iter().map(part).collect::<Result<Vec<_>, MoneyError>>()?;
        let bases = apportion(figures.base, whole_with(figures.tax)?, &parts)?;
        for (line, base) in group.iter_mut().zip(bases) {
            line.tax_base = base;
        }
    }
    Ok(())
}
