//! Sharing an amount in whole minor units, by largest remainder.
//!
//! Each part is rounded to the nearest minor unit. What their sum then lacks, or has too much, goes one unit each to
//! the parts that rounding moved furthest the other way. For parts of one sign that is the method of largest
//! remainders as it is usually told (round down, then give what is left to the largest remainders). Told from the
//! nearest unit it is symmetric as well, whatever the signs: parts with their signs turned get the same shares with
//! theirs turned.

use std::cmp::Ordering;

use svc_core::money::{Amount, MoneyError};

/// What a line is to get, exactly: its numerator over the denominator that all parts have.
pub(super) struct Part<S> {
    /// In minor units, over the common denominator.
    pub(super) numerator: i128,
    /// Which of two parts with equal remainders comes first; after that the earlier one.
    pub(super) standing: S,
}

/// Shares `whole` over the parts: one amount for each, and their sum is `whole`.
///
/// The denominator is above zero. The exact parts need not sum to `whole` quite; the difference is shared as well.
pub(super) fn apportion<S: Ord>(
    whole: Amount,
    denominator: i128,
    parts: &[Part<S>],
) -> Result<Vec<Amount>, MoneyError> {
    let currency = whole.currency();
    let mut shares = Vec::with_capacity(parts.len());
    for part in parts {
        shares.push(Amount::from_ratio(part.numerator, denominator, currency)?);
    }
    let lacking = shares.iter().try_fold(i128::from(whole.minor()), |rest, share| {
        rest.checked_sub(share.minor().into()).ok_or(MoneyError::Range)
    })?;
    let direction = lacking.signum();
    let unit = Amount::from_minor(i64::try_from(direction).map_err(|_| MoneyError::Range)?, currency)?;
    let mut claims = Vec::with_capacity(parts.len());
    for (position, (part, share)) in parts.iter().zip(&shares).enumerate() {
        claims.push(Claim::of(part, *share, denominator, direction, position)?);
    }
    claims.sort_by(Claim::first);
    let units = usize::try_from(lacking.unsigned_abs()).map_err(|_| MoneyError::Range)?;
    for claim in claims.iter().cycle().take(units) {
        if let Some(share) = shares.get_mut(claim.position) {
            *share = share.plus(unit)?;
        }
    }
    Ok(shares)
}

/// What a part puts forward for being moved by a unit.
struct Claim<'a, S> {
    /// How far rounding moved it against the direction, over the common denominator.
    remainder: i128,
    /// Whether a unit makes it larger in magnitude.
    grows: bool,
    standing: &'a S,
    position: usize,
}

impl<'a, S: Ord> Claim<'a, S> {
    fn of(
        part: &'a Part<S>,
        share: Amount,
        denominator: i128,
        direction: i128,
        position: usize,
    ) -> Result<Self, MoneyError> {
        let rounded = i128::from(share.minor()).checked_mul(denominator);
        let moved = rounded.and_then(|rounded| part.numerator.checked_sub(rounded));
        let remainder = moved.and_then(|moved| moved.checked_mul(direction)).ok_or(MoneyError::Range)?;
        let grows = part.numerator.signum() == direction;
        Ok(Self { remainder, grows, standing: &part.standing, position })
    }

    /// The largest remainder first. Of equal ones the first part has the larger share in the end: it is the first
    /// to grow and the last to shrink.
    fn first(&self, other: &Self) -> Ordering {
        let place = (self.standing, self.position).cmp(&(other.standing, other.position));
        let remainder = other.remainder.cmp(&self.remainder);
        remainder.then(other.grows.cmp(&self.grows)).then(if self.grows { place } else { place.reverse() })
    }
}

#[cfg(test)]
mod tests {
    use svc_core::money::Currency;

    use super::*;

    fn shares(whole: i64, denominator: i128, numerators: &[i128]) -> Vec<i64> {
        let whole = Amount::from_minor(whole, Currency::EUR).expect("in range");
        let parts: Vec<_> = numerators.iter().map(|&numerator| Part { numerator, standing: () }).collect();
        let shares = apportion(whole, denominator, &parts).expect("in range");
        shares.into_iter().map(Amount::minor).collect()
    }

    #[test]
    fn the_largest_remainders_get_what_is_left() {
        assert_eq!(shares(10, 10, &[46, 33, 21]), [5, 3, 2]);
        assert_eq!(shares(2, 10, &[4, 9, 7]), [0, 1, 1]);
    }

    #[test]
    fn of_equal_remainders_the_earlier_line_has_more() {
        assert_eq!(shares(1, 3, &[1, 1, 1]), [1, 0, 0], "the first to grow");
        assert_eq!(shares(2, 3, &[2, 2, 2]), [1, 1, 0], "the last to shrink");
        assert_eq!(shares(1, 2, &[1, 1]), [1, 0]);
        assert_eq!(shares(-1, 2, &[-1, -1]), [-1, 0]);
    }

    #[test]
    fn signs_turned_give_shares_turned() {
        for (whole, parts) in [
            (1, &[9, 9, -8][..]),
            (0, &[25, 25, -50]),
            (0, &[5, -5]),
            (3, &[15, 15, -5, 5]),
            (2, &[5, 5, 5, 5]),
        ] {
            let turned: Vec<_> = parts.iter().map(|part| -part).collect();
            let expected: Vec<_> = shares(whole, 10, parts).into_iter().map(|share| -share).collect();
            assert_eq!(shares(-whole, 10, &turned), expected, "{parts:?}");
        }
    }

    #[test]
    fn a_whole_that_is_off_by_more_than_a_unit_each_is_shared_too() {
        assert_eq!(shares(7, 1, &[1, 1]), [4, 3]);
        assert_eq!(shares(-3, 1, &[1, 1]), [-1, -2]);
    }
}
