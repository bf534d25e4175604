//! The deliveries of one subscription.

use std::collections::VecDeque;
use std::time::Duration;

use svc_core::clock::Timestamp;

use super::{FIRST_TURNS, FIRST_WINDOW, LOOK_AGAIN, START_WITHIN, is_retry};
use crate::health::{Pace, Standing};
use crate::ports::Leased;
use crate::subscription::InFlight;
use svc_core::resource::Version;

/// Deliveries that may wait for each place of the window, however quick the receiver is.
const MOST_TURNS: u32 = 32;

#[derive(Debug)]
pub(super) struct Lane {
    /// Longest leased first.
    pub(super) waiting: VecDeque<Leased>,
    /// Whether it is among those that take turns.
    pub(super) listed: bool,
    under_way: u32,
    window: u32,
    most: u32,
    /// How long attempts take, on the average of the latest; `None` while none has ended.
    takes: Option<Duration>,
    /// How the receiver answers, by our own attempts or what others wrote down, whichever is later.
    pub(super) standing: Standing,
    /// Until when the receiver rests, by that.
    rests_until: Option<Timestamp>,
    /// When that was learnt.
    heard: Timestamp,
    /// Whether somebody looks for a rest that is over before its time.
    looks: bool,
    /// The latest version of the subscription that was seen.
    version: Option<Version>,
}

impl Default for Lane {
    fn default() -> Self {
        let most = u32::from(InFlight::STANDARD.get());
        Self {
            waiting: VecDeque::new(),
            listed: false,
            under_way: 0,
            window: FIRST_WINDOW,
            most,
            takes: None,
            standing: Standing::default(),
            rests_until: None,
            heard: Timestamp::default(),
            looks: false,
            version: None,
        }
    }
}

impl Lane {
    pub(super) fn put(&mut self, leased: Leased) {
        if let Some(subscription) = &leased.subscription {
            self.most = u32::from(subscription.in_flight.get());
            self.window = self.window.min(self.most);
        }
        self.waiting.push_back(leased);
    }

    /// Takes in what came along with a delivery.
    pub(super) fn learn(&mut self, leased: &Leased, pace: Pace) {
        let (standing, now) = (leased.standing, leased.since);
        let version = leased.subscription.as_ref().map(|subscription| subscription.version);
        // A subscription that was changed may have another receiver: our own experience is of the old one.
        let changed = self.version.is_some() && version > self.version;
        if changed || standing.at > self.standing.at {
            self.stand(standing, now, pace);
            if standing.consecutive_failures > 0 {
                let halved = FIRST_WINDOW.checked_shr(standing.consecutive_failures).unwrap_or_default();
                self.window = self.window.min(halved.max(1));
            }
        }
        self.version = self.version.max(version);
        self.heard = self.heard.max(now);
        self.looks = false;
    }

    /// Something was learnt of the receiver at `now`.
    pub(super) fn stand(&mut self, standing: Standing, now: Timestamp, pace: Pace) {
        self.standing = standing;
        self.rests_until = standing.rests_until(pace);
        self.heard = self.heard.max(now);
        self.looks = false;
    }

    /// Whether the receiver rests.
    pub(super) fn rests(&self, now: Timestamp) -> bool {
        self.rests_until.is_some_and(|until| now < until)
    }

    /// Whether the receiver rests, and nobody needs to look if it does still.
    pub(super) fn believes(&self, now: Timestamp) -> bool {
        self.rests(now) && now < self.heard.plus(LOOK_AGAIN)
    }

    /// Whether it is from now on that somebody looks.
    pub(super) fn looks_now(&mut self, now: Timestamp) -> bool {
        let before = self.looks;
        self.looks = !self.believes(now);
        self.looks && !before
    }

    /// When something changes for a lane that rests.
    pub(super) fn wakes_at(&self, now: Timestamp, pace: Pace) -> Option<Timestamp> {
        let until = self.rests_until?;
        let look = Some(self.heard.plus(LOOK_AGAIN)).filter(|at| now < *at);
        let retry = self.next().map(|next| patience(next, pace)).filter(|at| now < *at);
        [Some(until), look, retry].into_iter().flatten().min()
    }

    /// Whether its window lets the next one start, and the receiver's rest does.
    pub(super) fn may_start(&self, now: Timestamp, pace: Pace) -> bool {
        let rested = |next| !self.rests(now) || patience(next, pace) <= now;
        self.has_place() && self.next().is_some_and(rested)
    }

    /// Takes out the first attempts, which are not to wait for the end of a rest here.
    pub(super) fn turn_away(&mut self) -> Vec<Leased> {
        let (kept, away): (Vec<Leased>, Vec<Leased>) = self.waiting.drain(..).partition(is_retry);
        self.waiting = kept.into();
        away
    }

    pub(super) fn next(&self) -> Option<&Leased> {
        self.waiting.front()
    }

    /// Takes the next one out: its attempt is under way from now on.
    pub(super) fn begin(&mut self) -> Option<Leased> {
        let leased = self.waiting.pop_front()?;
        self.under_way += 1;
        Some(leased)
    }

    /// An attempt has ended, after so much time.
    pub(super) fn end(&mut self, arrived: bool, took: Duration) {
        self.takes = Some(self.takes.map_or(took, |before| before * 7 / 8 + took / 8));
        self.under_way = self.under_way.saturating_sub(1);
        self.window = if arrived { (self.window + 1).min(self.most) } else { (self.window / 2).max(1) };
    }

    /// Takes out what was leased too long ago to start now.
    pub(super) fn drop_late(&mut self, now: Timestamp) -> Vec<Leased> {
        let late = |leased: &Leased| now.since(leased.since) > START_WITHIN;
        let count = self.waiting.iter().take_while(|leased| late(leased)).count();
        self.waiting.drain(..count).collect()
    }

    pub(super) fn has_place(&self) -> bool {
        self.under_way < self.window
    }

    /// How many more may be leased. They are fetched many at a time: while more than half of those that
    /// may wait do so, no more are.
    pub(super) fn room(&self) -> u32 {
        let waiting = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        if self.is_in_trouble() {
            // What would wait for a receiver in trouble would wait too long.
            return self.window.saturating_sub(self.under_way).saturating_sub(waiting);
        }
        let most = self.window.saturating_mul(self.turns());
        if waiting > most / 2 { 0 } else { most - waiting }
    }

    /// How many may wait for each place: as many as are sure to start in time.
    fn turns(&self) -> u32 {
        let Some(takes) = self.takes else { return FIRST_TURNS };
        let in_time = (START_WITHIN / 4).as_micros() / takes.as_micros().max(1);
        u32::try_from(in_time).unwrap_or(MOST_TURNS).clamp(1, MOST_TURNS)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }

    /// Whether its window is smaller than that of a receiver that nothing is known of.
    pub(super) fn is_in_trouble(&self) -> bool {
        self.window < FIRST_WINDOW.min(self.most)
    }
}

/// How long a delivery may be held back by a rest: a later attempt keeps to its schedule within 5 %.
fn patience(leased: &Leased, pace: Pace) -> Timestamp {
    leased.delivery.next_attempt_at().unwrap_or(leased.since).plus(pace.most())
}
