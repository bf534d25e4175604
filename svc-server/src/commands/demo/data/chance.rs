//! Numbers that look random and are the same each time: `SplitMix64` (Steele, Lea, Flood 2014).

/// A row of such numbers.
pub(super) struct Chance(u64);

impl Chance {
    /// The row of `seed`.
    pub(super) fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 up to `end`, without it; 0 when that is 0.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        u32::try_from(mixed % u64::from(end.max(1))).unwrap_or_default()
    }

    /// From `low` to `high`, with both.
    pub(super) fn within(&mut self, low: u32, high: u32) -> u32 {
        low.saturating_add(self.below(high.saturating_sub(low).saturating_add(1)))
    }

    /// In so many of a hundred cases.
    pub(super) fn holds(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let count = u32::try_from(of.len()).unwrap_or(u32::MAX);
        of.get(self.below(count) as usize).expect("there is something to choose from")
    }

    /// One of them, the first ones more often: few customers buy much.
    pub(super) fn favourite<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let count = u32::try_from(of.len()).unwrap_or(u32::MAX);
        let at = self.below(count).min(self.below(count));
        of.get(at as usize).expect("there is something to choose from")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_leads_to_the_same_numbers() {
        let row = |seed| {
            let mut chance = Chance::of(seed);
            [(); 4].map(|()| chance.below(1_000))
        };
        assert_eq!(row(1), row(1));
        assert_ne!(row(1), row(2));
    }

    #[test]
    fn numbers_stay_within_what_is_asked() {
        let mut chance = Chance::of(7);
        assert!((0..1_000).all(|_| (3..=5).contains(&chance.within(3, 5))));
        assert_eq!(chance.below(0), 0);
    }
}
