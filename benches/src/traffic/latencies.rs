//! Latencies in a few numbers.

use std::time::Duration;

/// The latencies of a phase.
#[derive(Clone, Copy, Debug)]
pub struct Latencies {
    /// Half are shorter.
    pub p50: Duration,
    /// One in a hundred is longer.
    pub p99: Duration,
    /// The longest.
    pub longest: Duration,
    /// How many there were.
    pub count: usize,
}

impl Latencies {
    /// Sums them up.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn of(mut all: Vec<Duration>) -> Self {
        all.sort_unstable();
        let at = |part: usize| *all.get((all.len() - 1) * part / 100).expect("at least one");
        Self { p50: at(50), p99: at(99), longest: at(100), count: all.len() }
    }

    /// The medians of several phases, number by number.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn median(phases: &[Self]) -> Self {
        let median = |of: fn(&Self) -> Duration| crate::median(phases.iter().map(of).collect());
        Self {
            p50: median(|one| one.p50),
            p99: median(|one| one.p99),
            longest: median(|one| one.longest),
            count: phases.iter().map(|one| one.count).sum(),
        }
    }
}
