//! Slows down whoever guesses passwords.
//!
//! Who does what:
//!
//! 1. Failed attempts are counted by e-mail address and by source address; an
//!    IPv6 source counts by its /64, which one customer has as a whole. Only
//!    keyed hashes of both are stored.
//! 2. The first few attempts are free. After them every failure doubles the
//!    wait before the next attempt, from one minute to fifteen. Fifteen minutes
//!    of silence, and the count starts again.
//! 3. An attempt is charged before its password is looked at, so that many at
//!    once do not all meet an old count. One that comes too early is refused,
//!    and neither charged nor written down: knocking does not lock a person
//!    out for longer.
//! 4. Success forgets the failures of the e-mail address, and takes back the
//!    charge of the source address: an office that signs in through one address
//!    in the morning is no attack, and a person with a password of their own
//!    cannot wash an address clean. An attempt that the hasher was too busy for
//!    takes back both charges: a flood of others must not lock a person out.

use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::ip;
use crate::ports::{Failures, SignInAttempts, ThrottleKey};
use crate::token::Peppers;

/// Failures that are this old are forgotten; no wait is longer.
const WINDOW: Duration = Duration::from_mins(15);
/// The first wait.
const FIRST_WAIT: Duration = Duration::from_mins(1);

/// How many failures are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttle {
    /// How many attempts may fail before the next one has to wait.
    pub free: u32,
}

impl Throttle {
    /// Failures that are this old count no more.
    pub const WINDOW: Duration = WINDOW;
    /// Of one e-mail address.
    pub const EMAIL: Self = Self { free: 5 };
    /// Of one source address.
    pub const ADDRESS: Self = Self { free: 20 };

    /// How long the next attempt has to wait from `now`; zero when it may come.
    #[must_use]
    pub fn wait(self, failures: Failures, now: Timestamp) -> Duration {
        let Some(beyond) = failures.count.checked_sub(self.free) else { return Duration::ZERO };
        let doubled = 2_u32.checked_pow(beyond).and_then(|times| FIRST_WAIT.checked_mul(times));
        doubled.map_or(WINDOW, |wait| wait.min(WINDOW)).saturating_sub(now.since(failures.last_at))
    }
}

/// What one attempt is counted by.
pub(super) struct Attempt {
    email: ThrottleKey,
    address: Option<ThrottleKey>,
}

/// Why an attempt is not looked at.
pub(super) enum Halt {
    Wait(Duration),
    Store(StoreError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Attempt {
    pub(super) fn new(peppers: &Peppers, email: &str, from: Option<IpAddr>) -> Self {
        Self {
            email: ThrottleKey(peppers.keyed("svc/throttle/email/v1", email)),
            address: from.map(|address| {
                let network = ip::network(address).to_string();
                ThrottleKey(peppers.keyed("svc/throttle/address/v1", &network))
            }),
        }
    }

    /// Counts the attempt, unless it comes too early.
    pub(super) async fn charge(&self, attempts: &dyn SignInAttempts, now: Timestamp) -> Result<(), Halt> {
        let keys = self.keys();
        Self::early(&attempts.failures(&keys).await?, now)?;
        // Others may have been charged in between: what was there before this one decides.
        Self::early(&attempts.charge(&keys, now.minus(WINDOW), now).await?, now)
    }

    /// Takes the attempt out of the counts: it did not fail.
    pub(super) async fn passed(&self, attempts: &dyn SignInAttempts) -> Result<(), StoreError> {
        attempts.clear(&[self.email]).await?;
        match self.address {
            Some(address) => attempts.give_back(&[address]).await,
            None => Ok(()),
        }
    }

    /// Takes the attempt out of the counts: nobody looked at its password.
    pub(super) async fn unseen(&self, attempts: &dyn SignInAttempts) -> Result<(), StoreError> {
        attempts.give_back(&self.keys()).await
    }

    fn keys(&self) -> Vec<ThrottleKey> {
        [self.email].into_iter().chain(self.address).collect()
    }

    fn early(failures: &[Failures], now: Timestamp) -> Result<(), Halt> {
        let throttles = [Throttle::EMAIL, Throttle::ADDRESS];
        let waits = failures.iter().zip(throttles).map(|(failures, throttle)| throttle.wait(*failures, now));
        match waits.max() {
            Some(wait) if wait > Duration::ZERO => Err(Halt::Wait(wait)),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix_seconds(second)
    }

    #[test]
    fn waits_double_from_one_minute_to_fifteen_after_the_free_ones() {
        let minutes = |count| Throttle::EMAIL.wait(Failures { count, last_at: at(0) }, at(0)).as_secs() / 60;
        let waits: Vec<_> = [0, 4, 5, 6, 7, 8, 9, 10, u32::MAX].map(minutes).into();
        assert_eq!(waits, [0, 0, 1, 2, 4, 8, 15, 15, 15]);
        assert_eq!(Throttle::ADDRESS.wait(Failures { count: 19, last_at: at(0) }, at(0)), Duration::ZERO);
        assert_eq!(Throttle::ADDRESS.wait(Failures { count: 20, last_at: at(0) }, at(0)), FIRST_WAIT);
    }

    #[test]
    fn a_wait_runs_from_the_last_failure() {
        let failures = Failures { count: 5, last_at: at(100) };
        assert_eq!(Throttle::EMAIL.wait(failures, at(130)), Duration::from_secs(30));
        assert_eq!(Throttle::EMAIL.wait(failures, at(160)), Duration::ZERO);
    }

    #[test]
    fn addresses_of_one_ipv6_customer_are_one_and_the_hashes_tell_nothing() {
        let peppers = |key| Peppers::new(crate::token::Pepper::new(1, [key; 32]), Vec::new());
        let keys = |key, email, from: &str| Attempt::new(&peppers(key), email, from.parse().ok()).keys();
        let first = keys(1, "ana@acme.example", "2001:db8:1:2:3:4:5:6");
        assert_eq!(first, keys(1, "ana@acme.example", "2001:db8:1:2:ffff::1"));
        assert_ne!(first[1], keys(1, "ana@acme.example", "2001:db8:1:3::1")[1]);
        assert_ne!(first, keys(2, "ana@acme.example", "2001:db8:1:2:3:4:5:6"));
        assert_ne!(keys(1, "203.0.113.7", "203.0.113.7")[0], keys(1, "203.0.113.7", "203.0.113.7")[1]);
        assert_eq!(keys(1, "a", "::ffff:203.0.113.7"), keys(1, "a", "203.0.113.7"));
        assert_eq!(keys(1, "a", "unknown").len(), 1);
    }

    proptest! {
        #[test]
        fn a_wait_never_passes_the_window_and_is_over_when_it_said(
            count in any::<u32>(), last in 0_i64..4_000_000_000, now in 0_i64..4_000_000_000, free in 0_u32..50,
        ) {
            let (throttle, failures) = (Throttle { free }, Failures { count, last_at: at(last) });
            let wait = throttle.wait(failures, at(now));
            prop_assert!(wait <= WINDOW);
            prop_assert_eq!(throttle.wait(failures, at(now).max(at(last)).plus(wait)), Duration::ZERO);
        }

        #[test]
        fn more_failures_never_wait_less(
            fewer in any::<u32>(), more in any::<u32>(), last in 0_i64..2_000, now in 0_i64..4_000, free in 0_u32..50,
        ) {
            let wait = |count| Throttle { free }.wait(Failures { count, last_at: at(last) }, at(now));
            prop_assert!(wait(fewer.min(more)) <= wait(fewer.max(more)));
        }

        #[test]
        fn a_quarter_of_an_hour_of_silence_forgets(count in any::<u32>(), last in 0_i64..4_000_000_000, later in 0_u64..100_000) {
            let now = at(last).plus(WINDOW).plus(Duration::from_micros(later));
            prop_assert_eq!(Throttle::EMAIL.wait(Failures { count, last_at: at(last) }, now), Duration::ZERO);
        }
    }
}
