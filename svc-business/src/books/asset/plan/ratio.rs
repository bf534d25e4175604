//! Exact fractions: a plan rounds once, at the end.

use svc_core::money::MoneyError;

/// A fraction that is not negative.
///
/// A decimal would round 1/31 before the amount is rounded, and an amount on the edge would fall to the wrong side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    above: i128,
    /// More than zero.
    below: i128,
}

impl Ratio {
    /// A whole number.
    pub(super) const fn whole(number: i64) -> Self {
        Self { above: number as i128, below: 1 }
    }

    /// A fraction; nothing where a part is out of range.
    pub(super) fn new(above: i128, below: i128) -> Result<Self, MoneyError> {
        if above >= 0 && below > 0 { Ok(Self { above, below }) } else { Err(MoneyError::Range) }
    }

    pub(super) fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.combined(other, i128::checked_add)
    }

    /// The difference; out of range below zero.
    pub(super) fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.combined(other, i128::checked_sub)
    }

    pub(super) fn times(self, other: Self) -> Result<Self, MoneyError> {
        let above = self.above.checked_mul(other.above).ok_or(MoneyError::Range)?;
        Self::new(above, self.below.checked_mul(other.below).ok_or(MoneyError::Range)?).map(Self::reduced)
    }

    /// The quotient; out of range by zero.
    pub(super) fn over(self, other: Self) -> Result<Self, MoneyError> {
        self.times(Self::new(other.below, other.above)?)
    }

    pub(super) fn is_zero(self) -> bool {
        self.above == 0
    }

    /// Whether it is this one or more.
    pub(super) fn reaches(self, other: Self) -> Result<bool, MoneyError> {
        let (left, right) = (self.above.checked_mul(other.below), other.above.checked_mul(self.below));
        Ok(left.ok_or(MoneyError::Range)? >= right.ok_or(MoneyError::Range)?)
    }

    /// The nearest whole number, half away from zero.
    pub(super) fn rounded(self) -> Result<i64, MoneyError> {
        let doubled = self.above.checked_mul(2).and_then(|above| above.checked_add(self.below));
        let below = self.below.checked_mul(2).ok_or(MoneyError::Range)?;
        let number = doubled.and_then(|doubled| doubled.checked_div(below)).ok_or(MoneyError::Range)?;
        i64::try_from(number).map_err(|_| MoneyError::Range)
    }

    fn combined(
        self,
        other: Self,
        operation: impl FnOnce(i128, i128) -> Option<i128>,
    ) -> Result<Self, MoneyError> {
        let left = self.above.checked_mul(other.below).ok_or(MoneyError::Range)?;
        let right = other.above.checked_mul(self.below).ok_or(MoneyError::Range)?;
        let above = operation(left, right).ok_or(MoneyError::Range)?;
        Self::new(above, self.below.checked_mul(other.below).ok_or(MoneyError::Range)?).map(Self::reduced)
    }

    /// In lowest terms, so that long computations stay in range.
    fn reduced(self) -> Self {
        let (mut left, mut right) = (self.above, self.below);
        while let Some(rest) = left.checked_rem(right).filter(|_| right != 0) {
            (left, right) = (right, rest);
        }
        let divided = (self.above.checked_div(left), self.below.checked_div(left));
        if let (Some(above), Some(below)) = divided { Self { above, below } } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(above: i128, below: i128) -> Ratio {
        Ratio::new(above, below).expect("in range")
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (above, below, number) in [(1, 2, 1), (49, 100, 0), (5, 2, 3), (0, 7, 0), (7, 7, 1)] {
            assert_eq!(ratio(above, below).rounded(), Ok(number), "{above}/{below}");
        }
    }

    #[test]
    fn arithmetic_is_exact() {
        let sum = ratio(1, 31).plus(ratio(1, 28)).and_then(|sum| sum.times(Ratio::whole(868)));
        assert_eq!(sum.and_then(Ratio::rounded), Ok(59));
        let rest = ratio(3, 4).minus(ratio(1, 4)).and_then(|rest| rest.over(ratio(1, 2)));
        assert_eq!(rest.and_then(Ratio::rounded), Ok(1));
        assert_eq!(ratio(2, 4).reaches(ratio(1, 2)), Ok(true));
        assert_eq!(ratio(49, 100).reaches(ratio(1, 2)), Ok(false));
    }

    #[test]
    fn what_cannot_be_computed_is_out_of_range() {
        assert!(ratio(1, 4).minus(ratio(1, 2)).is_err());
        assert!(ratio(1, 4).over(Ratio::whole(0)).is_err());
        assert!(Ratio::new(i128::MAX, 1).and_then(|most| most.plus(most)).is_err());
    }
}
