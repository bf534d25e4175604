//! When a failed delivery is tried again (specification, part 3.3).

use std::borrow::Cow;
use std::time::Duration;

use thiserror::Error;

/// Waits that a schedule may have at most.
pub const MOST_WAITS: usize = 30;

/// The waits after failed attempts, in their order; one attempt more than there are waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrySchedule(Cow<'static, [Duration]>);

/// A schedule has more waits than it may have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a retry schedule has at most {MOST_WAITS} waits, and {found} were given")]
pub struct TooManyWaits {
    /// How many were given.
    pub found: usize,
}

impl RetrySchedule {
    /// 1 minute, 5 minutes, 30 minutes, 2 hours, 12 hours: six attempts.
    pub const STANDARD: Self = Self::of(&[
        Duration::from_mins(1),
        Duration::from_mins(5),
        Duration::from_mins(30),
        Duration::from_hours(2),
        Duration::from_hours(12),
    ]);

    /// These waits; a constant of them is checked at compile time. None at all allow a single attempt.
    ///
    /// ```compile_fail,E0080
    /// # use std::time::Duration;
    /// # use svc_webhooks::retry::RetrySchedule;
    /// const ENDLESS: RetrySchedule = RetrySchedule::of(&[Duration::from_hours(1); 31]);
    /// ```
    ///
    /// # Panics
    /// When there are more than [`MOST_WAITS`].
    #[must_use]
    pub const fn of(waits: &'static [Duration]) -> Self {
        assert!(waits.len() <= MOST_WAITS, "a retry schedule has at most 30 waits");
        Self(Cow::Borrowed(waits))
    }

    /// These waits, read at run time.
    ///
    /// # Errors
    /// [`TooManyWaits`].
    pub fn new(waits: impl Into<Vec<Duration>>) -> Result<Self, TooManyWaits> {
        let waits = waits.into();
        if waits.len() > MOST_WAITS {
            return Err(TooManyWaits { found: waits.len() });
        }
        Ok(Self(Cow::Owned(waits)))
    }

    /// How many attempts a delivery has, the first included.
    #[must_use]
    pub fn attempts(&self) -> u8 {
        u8::try_from(self.0.len()).map_or(u8::MAX, |waits| waits.saturating_add(1))
    }

    /// The shortest wait of all; `None` when there is none.
    #[must_use]
    pub fn shortest(&self) -> Option<Duration> {
        self.0.iter().min().copied()
    }

    /// The wait after failed attempt number `attempt` (from 1); `None` after the last.
    #[must_use]
    pub fn wait_after(&self, attempt: u8) -> Option<Duration> {
        self.0.get(usize::from(attempt.checked_sub(1)?)).copied()
    }
}

impl Default for RetrySchedule {
    fn default() -> Self {
        Self::STANDARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_attempt_more_than_waits() {
        assert_eq!(RetrySchedule::STANDARD.attempts(), 6);
        for waits in [0, 1, MOST_WAITS] {
            let schedule = RetrySchedule::new(vec![Duration::from_secs(1); waits]).expect("few enough");
            assert_eq!(usize::from(schedule.attempts()), waits + 1);
            let after = |attempt| schedule.wait_after(attempt).is_some();
            assert!((1..schedule.attempts()).all(after));
            assert!(!after(0) && !after(schedule.attempts()));
        }
    }

    #[test]
    fn too_many_waits_are_refused_with_their_number() {
        let refused = RetrySchedule::new([Duration::ZERO; MOST_WAITS + 1]);
        assert_eq!(refused, Err(TooManyWaits { found: 31 }));
        let text = "a retry schedule has at most 30 waits, and 31 were given";
        assert_eq!(refused.map_err(|error| error.to_string()), Err(text.to_owned()));
    }
}
