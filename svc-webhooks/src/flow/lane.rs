//! The deliveries of one subscription.

use std::collections::VecDeque;
use std::time::Duration;

use svc_core::clock::Timestamp;

use super::{FIRST_TURNS, FIRST_WINDOW, START_WITHIN};
use crate::ports::Leased;
use crate::subscription::InFlight;

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
