//! Counts failed authentications by where they come from.
//!
//! A guesser may send from many addresses, so the table has one fixed
//! size, and nothing is ever dropped from it to make room: a
//! guesser who could fill it would start again at nothing. It is a count-min
//! sketch. Each source adds to one cell of each of [`ROWS`] rows, chosen by a
//! keyed hash, and its count is the smallest of its cells. Sources that share
//! cells can only make each other's count too high, and an innocent one is
//! stopped only when all its cells are shared with guessers: with [`CELLS`] in
//! a row, that takes hundreds of thousands of failures in one minute.
//!
//! An attempt is charged before its outcome is known, and given back when it
//! was good: a thousand attempts at once count like a thousand in a row.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::ip;
use crate::limit::calendar::{MINUTE, minute_of};

const ROWS: usize = 4;
/// Of each row.
const CELLS: usize = 16_384;
/// All callers without a known address together may fail as often as so many addresses.
const UNKNOWN: u32 = 10;

/// Failed authentications of every source in the present minute of the clock.
///
/// A source is an IPv4 address or a /64 of IPv6, see [`ip::network`];
/// requests whose address is unknown are one source together, which may fail
/// ten times as often.
#[derive(Debug)]
pub struct FailureCounts {
    per_minute: u32,
    minute: Timestamp,
    /// Row after row.
    cells: Box<[u32]>,
    hashes: RandomState,
}

impl FailureCounts {
    /// Lets each source fail so many times per minute.
    #[must_use]
    pub fn new(per_minute: NonZeroU32) -> Self {
        Self {
            per_minute: per_minute.get(),
            minute: Timestamp::default(),
            cells: vec![0; ROWS * CELLS].into_boxed_slice(),
            hashes: RandomState::new(),
        }
    }

    /// Whether `source` may make an attempt; counts nothing.
    ///
    /// # Errors
    /// How long it has to wait.
    pub fn check(&mut self, source: Option<IpAddr>, now: Timestamp) -> Result<(), Duration> {
        self.advance(now);
        let cells = self.places(source).into_iter().filter_map(|place| self.cells.get(place));
        match cells.min() {
            Some(count) if *count >= self.allowance(source) => Err(self.minute.plus(MINUTE).since(now)),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts an attempt of `source`.
    ///
    /// # Errors
    /// How long it has to wait when it has none left; nothing was counted.
    pub fn charge(&mut self, source: Option<IpAddr>, now: Timestamp) -> Result<Charge, Duration> {
        self.check(source, now)?;
        self.change(source, |count| count.saturating_add(1));
        Ok(Charge { source, minute: self.minute })
    }

    /// Takes back an attempt that turned out to be good, if its minute still lasts.
    #[expect(clippy::needless_pass_by_value, reason = "a charge is given back once")]
    pub fn give_back(&mut self, charge: Charge) {
        if charge.minute == self.minute {
            self.change(charge.source, |count| count.saturating_sub(1));
        }
    }

    /// A clock that steps back a little stays in the minute that it has reached, so that a step gives no
    /// second chance. Further back it starts again: no client waits for an hour that the clock ran ahead.
    fn advance(&mut self, now: Timestamp) {
        let stays = self.minute.minus(MINUTE) <= now && now < self.minute.plus(MINUTE);
        if !stays {
            self.minute = minute_of(now);
            self.cells.fill(0);
        }
    }

    fn allowance(&self, source: Option<IpAddr>) -> u32 {
        match source {
            Some(_) => self.per_minute,
            None => self.per_minute.saturating_mul(UNKNOWN),
        }
    }

    fn change(&mut self, source: Option<IpAddr>, change: impl Fn(u32) -> u32) {
        for place in self.places(source) {
            if let Some(cell) = self.cells.get_mut(place) {
                *cell = change(*cell);
            }
        }
    }

    /// The cell of a source in each row: each takes 16 bits of the hash for itself.
    fn places(&self, source: Option<IpAddr>) -> [usize; ROWS] {
        let hash = self.hashes.hash_one(source.map(ip::network));
        std::array::from_fn(|row| {
            let column = usize::try_from((hash >> (16 * row)) & 0xffff).expect("16 bits fit");
            row * CELLS + column % CELLS
        })
    }
}

/// An attempt that was counted.
#[derive(Debug)]
pub struct Charge {
    source: Option<IpAddr>,
    minute: Timestamp,
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    const NOW: Timestamp = Timestamp::from_unix_seconds(1_767_225_615);

    fn counts(per_minute: u32) -> FailureCounts {
        FailureCounts::new(NonZeroU32::new(per_minute).expect("not zero"))
    }

    fn at(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    /// Uses up all that `source` has in the minute of `now`; answers how much that was.
    fn exhaust(counts: &mut FailureCounts, source: Option<IpAddr>, now: Timestamp) -> usize {
        std::iter::from_fn(|| counts.charge(source, now).ok()).count()
    }

    #[test]
    fn a_source_waits_for_the_next_minute_when_its_failures_are_used_up() {
        let mut counts = counts(3);
        let source = Some(at("203.0.113.7"));
        assert_eq!(exhaust(&mut counts, source, NOW), 3);
        assert_eq!(counts.check(source, NOW), Err(Duration::from_secs(45)));
        assert!(counts.check(Some(at("203.0.113.8")), NOW).is_ok());
        assert_eq!(exhaust(&mut counts, source, NOW.plus(Duration::from_secs(45))), 3);
    }

    #[test]
    fn one_customer_is_one_source_under_all_its_addresses() {
        for (used, same, other) in [
            ("203.0.113.7", "::ffff:203.0.113.7", "203.0.113.6"),
            ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", "2001:db8:0:1::1"),
        ] {
            let mut counts = counts(1);
            exhaust(&mut counts, Some(at(used)), NOW);
            assert!(counts.check(Some(at(same)), NOW).is_err(), "{same}");
            assert!(counts.check(Some(at(other)), NOW).is_ok(), "{other}");
        }
    }

    #[test]
    fn requests_from_unknown_addresses_are_one_source_with_ten_times_the_allowance() {
        let mut counts = counts(2);
        assert_eq!(exhaust(&mut counts, None, NOW), 20);
        assert!(counts.check(None, NOW).is_err());
        assert!(counts.check(Some(at("0.0.0.0")), NOW).is_ok());
    }

    #[test]
    fn an_attempt_that_was_good_is_given_back_while_its_minute_lasts() {
        let mut counts = counts(1);
        let source = Some(at("203.0.113.7"));
        let charge = counts.charge(source, NOW).expect("the first one");
        assert!(counts.check(source, NOW).is_err());
        counts.give_back(charge);
        let late = counts.charge(source, NOW).expect("it was given back");
        let next = NOW.plus(MINUTE);
        counts.charge(source, next).expect("a new minute");
        counts.give_back(late);
        assert!(counts.check(source, next).is_err());
    }

    #[test]
    fn a_clock_that_steps_back_a_little_gives_no_second_chance() {
        let mut counts = counts(2);
        let source = Some(at("203.0.113.7"));
        exhaust(&mut counts, source, NOW);
        assert_eq!(counts.check(source, NOW.minus(MINUTE)), Err(Duration::from_secs(105)));
        assert_eq!(counts.check(source, NOW.minus(Duration::from_secs(75))), Err(Duration::from_mins(2)));
    }

    #[test]
    fn a_clock_that_ran_ahead_and_back_makes_no_client_wait_for_more_than_two_minutes() {
        for ahead in [76, 3_600, 31_536_000].map(Duration::from_secs) {
            let mut counts = counts(2);
            let source = Some(at("203.0.113.7"));
            exhaust(&mut counts, source, NOW);
            assert_eq!(exhaust(&mut counts, source, NOW.minus(ahead)), 2, "{ahead:?}");
            assert!(counts.check(source, NOW.minus(ahead)).is_err_and(|wait| wait <= MINUTE));
            assert_eq!(exhaust(&mut counts, source, NOW.minus(ahead).plus(MINUTE)), 2);
        }
    }

    #[test]
    fn failures_from_a_hundred_thousand_addresses_neither_reset_a_count_nor_stop_an_innocent() {
        let mut counts = counts(60);
        let guesser = Some(at("203.0.113.7"));
        exhaust(&mut counts, guesser, NOW);
        for number in 0..50_000_u32 {
            for source in [
                IpAddr::V4(Ipv4Addr::from_bits(number)),
                IpAddr::V6(Ipv6Addr::from_bits(0x2001_0db8 << 96 | u128::from(number) << 64)),
            ] {
                counts.charge(Some(source), NOW).expect("one failure each is little");
            }
        }
        assert!(counts.check(guesser, NOW).is_err());
        for number in 0..=255 {
            assert!(counts.check(Some(IpAddr::V4(Ipv4Addr::new(198, 51, 100, number))), NOW).is_ok());
        }
    }
}
