//! What an asset has lost after so many months of its life.

use svc_core::money::MoneyError;

use super::ratio::Ratio;
use super::{Life, Pattern, Terms, YearWeights};

/// What an asset loses over its life, in stretches of so many months with the same loss in each.
pub(super) struct Curve(Vec<Stretch>);

struct Stretch {
    months: i64,
    /// What is lost in it, in minor units.
    loss: i64,
}

impl Curve {
    /// The curve of a pattern over a life.
    pub(super) fn of(terms: &Terms, pattern: Pattern, life: Life) -> Result<Self, MoneyError> {
        let whole = terms.depreciable()?.minor();
        let months = i64::from(life.months());
        Ok(Self(match pattern {
            Pattern::StraightLine => vec![Stretch { months, loss: whole }],
            Pattern::DecliningBalance => declining(terms.cost.minor(), whole, months)?,
            Pattern::SumOfYears(weights) => sum_of_years(whole, months, weights)?,
        }))
    }

    /// What is lost after so many months, in minor units and not rounded yet.
    pub(super) fn lost(&self, elapsed: Ratio) -> Result<Ratio, MoneyError> {
        let mut sum = Ratio::whole(0);
        let mut start = Ratio::whole(0);
        for stretch in &self.0 {
            let (months, loss) = (Ratio::whole(stretch.months), Ratio::whole(stretch.loss));
            let end = start.plus(months)?;
            if !elapsed.reaches(end)? {
                if elapsed.reaches(start)? {
                    let part = elapsed.minus(start)?.over(months)?;
                    sum = sum.plus(loss.times(part)?)?;
                }
                break;
            }
            sum = sum.plus(loss)?;
            start = end;
        }
        Ok(sum)
    }
}

/// The lengths of the years of a life; the last one may be shorter.
fn years(months: i64) -> impl ExactSizeIterator<Item = i64> {
    let whole = usize::try_from(months / 12).unwrap_or(0);
    let rest = months % 12;
    let count = if rest == 0 { whole } else { whole.saturating_add(1) };
    (0..count).map(move |year| if year < whole { 12 } else { rest })
}

/// Each year loses a percentage of what the asset is still worth, and never more than is left to lose; the last one
/// loses the rest.
fn declining(cost: i64, whole: i64, months: i64) -> Result<Vec<Stretch>, MoneyError> {
    let halves = match months {
        ..60 => 3,
        60..96 => 4,
        96.. => 5,
    };
    // The straight percentage of a year is 12 / months, and the factor is so many halves.
    let part = Ratio::new(i128::from(halves).checked_mul(6).ok_or(MoneyError::Range)?, i128::from(months))?;
    let mut gone = 0_i64;
    let lengths = years(months);
    let count = lengths.len();
    let mut stretches = Vec::with_capacity(count);
    for (at, months) in lengths.enumerate() {
        let rest = whole.checked_sub(gone).ok_or(MoneyError::Range)?;
        let worth = cost.checked_sub(gone).ok_or(MoneyError::Range)?;
        let is_last = at.checked_add(1) == Some(count);
        let loss = if is_last { rest } else { Ratio::whole(worth).times(part)?.rounded()?.min(rest) };
        gone = gone.checked_add(loss).ok_or(MoneyError::Range)?;
        stretches.push(Stretch { months, loss });
    }
    Ok(stretches)
}

/// Each year loses by its weight. What is lost up to its end is rounded, so that the years add up to the whole.
fn sum_of_years(whole: i64, months: i64, weights: YearWeights) -> Result<Vec<Stretch>, MoneyError> {
    let lengths = years(months);
    let count = i64::try_from(lengths.len()).map_err(|_| MoneyError::Range)?;
    let all: i64 = (1..=count).sum();
    let (mut weight, mut gone) = (0_i64, 0_i64);
    let mut stretches = Vec::with_capacity(lengths.len());
    for (year, months) in (1..=count).zip(lengths) {
        let own = match weights {
            YearWeights::Descending => count.saturating_sub(year).saturating_add(1),
            YearWeights::Ascending => year,
        };
        weight = weight.saturating_add(own);
        let part = Ratio::new(i128::from(weight), i128::from(all))?;
        let sum = Ratio::whole(whole).times(part)?.rounded()?;
        stretches.push(Stretch { months, loss: sum.checked_sub(gone).ok_or(MoneyError::Range)? });
        gone = sum;
    }
    Ok(stretches)
}
