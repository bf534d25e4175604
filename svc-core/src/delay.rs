//! Waits that grow while nothing comes of trying.

use std::time::Duration;

/// Waits that double from `first` to `last`.
#[derive(Clone, Debug)]
pub struct DoublingDelay {
    first: Duration,
    last: Duration,
    next: Duration,
}

impl DoublingDelay {
    /// Begins with `first`.
    #[must_use]
    pub const fn new(first: Duration, last: Duration) -> Self {
        Self { first, last, next: first }
    }

    /// The wait that is due; the one after it is twice as long.
    pub fn step(&mut self) -> Duration {
        let wait = self.next;
        self.next = self.next.saturating_mul(2).min(self.last);
        wait
    }

    /// Begins anew, after a success.
    pub fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_last_and_start_again_after_a_success() {
        let mut delay = DoublingDelay::new(Duration::from_millis(5), Duration::from_millis(15));
        assert_eq!([delay.step(), delay.step(), delay.step()].map(|wait| wait.as_millis()), [5, 10, 15]);
        delay.reset();
        assert_eq!(delay.step(), Duration::from_millis(5));
    }
}
