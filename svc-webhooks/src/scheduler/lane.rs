//! The deliveries of one subscription.

use std::collections::VecDeque;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use super::proof::Destination;
use super::{FIRST_PREFETCH, FIRST_WINDOW, RECHECK_AFTER, START_WITHIN, is_retry};
use crate::health::{BackoffPolicy, ReceiverBackoff};
use crate::ports::Leased;
use crate::subscription::InFlight;
use svc_core::resource::Version;

/// Deliveries that may wait for each slot of the window, however quick the receiver is.
const MOST_PREFETCH: u32 = 32;

/// A receiver has stopped when its window is full and no attempt to it has begun or ended for so long.
const STOPPED_AFTER: Duration = Duration::from_secs(1);

/// Whether a later version of the subscription leads elsewhere, until what is under way to the former place has ended.
#[derive(Debug)]
enum Moving {
    No,
    To(Option<Destination>),
}

#[derive(Debug)]
pub(super) struct Lane {
    /// Longest leased first.
    pub(super) waiting: VecDeque<Leased>,
    /// Whether it is among those that take turns.
    pub(super) listed: bool,
    /// Whose subscription it is, once something was put in.
    pub(super) account: Option<AccountId>,
    under_way: u32,
    /// When an attempt began or ended last.
    moved_at: Timestamp,
    window: u32,
    most: u32,
    /// How long attempts take, on the average of the latest; `None` while none has ended.
    takes: Option<Duration>,
    /// How the receiver answers, by our own attempts or by what other servers stored, the later of both.
    pub(super) backoff: ReceiverBackoff,
    /// Until when the receiver is in backoff, by that.
    backoff_until: Option<Timestamp>,
    /// When the scheduler learnt that.
    learnt_at: Timestamp,
    /// Whether a claim looks if another server ended the backoff before its time.
    rechecks: bool,
    /// The latest version of the subscription that was seen.
    version: Option<Version>,
    /// Where its attempts go, by that version; `None` within the network of the operator.
    destination: Option<Destination>,
    moving: Moving,
}

impl Default for Lane {
    fn default() -> Self {
        let most = u32::from(InFlight::STANDARD.get());
        Self {
            waiting: VecDeque::new(),
            listed: false,
            account: None,
            under_way: 0,
            moved_at: Timestamp::default(),
            window: FIRST_WINDOW,
            most,
            takes: None,
            backoff: ReceiverBackoff::default(),
            backoff_until: None,
            learnt_at: Timestamp::default(),
            rechecks: false,
            version: None,
            destination: None,
            moving: Moving::No,
        }
    }
}

impl Lane {
    pub(super) fn put(&mut self, leased: Leased) {
        if let Some(subscription) = &leased.subscription {
            self.most = u32::from(subscription.in_flight.get());
            self.window = self.window.min(self.most);
        }
        self.account = Some(leased.delivery.account);
        self.waiting.push_back(leased);
    }

    /// Takes in what came along with a delivery.
    ///
    /// Answers what was leased for another destination than the subscription has by now: it is not attempted.
    pub(super) fn learn(&mut self, leased: &Leased, policy: BackoffPolicy) -> Vec<Leased> {
        let (backoff, now) = (leased.backoff, leased.since);
        let version = leased.subscription.as_ref().map(|subscription| subscription.version);
        // A subscription that was changed may have another receiver: our own experience is of the old one.
        let changed = self.version.is_some() && version > self.version;
        if changed || backoff.at > self.backoff.at {
            self.set_backoff(backoff, now, policy);
            if backoff.consecutive_failures > 0 {
                let halved = FIRST_WINDOW.checked_shr(backoff.consecutive_failures).unwrap_or_default();
                self.window = self.window.min(halved.max(1));
            }
        }
        let newer = leased.subscription.as_ref().filter(|_| version > self.version);
        let moved = newer.is_some_and(|newer| self.move_to(Destination::of(newer.endpoint.url())));
        self.version = self.version.max(version);
        self.learnt_at = self.learnt_at.max(now);
        self.rechecks = false;
        if moved { self.waiting.drain(..).collect() } else { Vec::new() }
    }

    /// Attempts go there from now on, or once those under way have ended. Answers whether that is elsewhere.
    fn move_to(&mut self, destination: Option<Destination>) -> bool {
        let present = match &self.moving {
            Moving::No => &self.destination,
            Moving::To(next) => next,
        };
        if *present == destination {
            return false;
        }
        self.moving = Moving::To(destination);
        self.arrive();
        true
    }

    fn arrive(&mut self) {
        if self.under_way == 0
            && let Moving::To(destination) = std::mem::replace(&mut self.moving, Moving::No)
        {
            self.destination = destination;
        }
    }

    /// The scheduler learnt something of the receiver at `now`.
    pub(super) fn set_backoff(&mut self, backoff: ReceiverBackoff, now: Timestamp, policy: BackoffPolicy) {
        self.backoff = backoff;
        self.backoff_until = backoff.until(policy);
        self.learnt_at = self.learnt_at.max(now);
        self.rechecks = false;
    }

    /// Whether the receiver is in backoff.
    pub(super) fn in_backoff(&self, now: Timestamp) -> bool {
        self.backoff_until.is_some_and(|until| now < until)
    }

    /// Whether the receiver is in backoff, and what the scheduler knows of that is new enough to be trusted.
    pub(super) fn trusts_backoff(&self, now: Timestamp) -> bool {
        self.in_backoff(now) && now < self.learnt_at.plus(RECHECK_AFTER)
    }

    /// Whether the recheck begins now.
    pub(super) fn begins_recheck(&mut self, now: Timestamp) -> bool {
        let before = self.rechecks;
        self.rechecks = !self.trusts_backoff(now);
        self.rechecks && !before
    }

    /// When something changes for a lane in backoff.
    pub(super) fn next_check(&self, now: Timestamp, policy: BackoffPolicy) -> Option<Timestamp> {
        let until = self.backoff_until?;
        let recheck = Some(self.learnt_at.plus(RECHECK_AFTER)).filter(|at| now < *at);
        let retry = self.next().map(|next| start_by(next, policy)).filter(|at| now < *at);
        [Some(until), recheck, retry].into_iter().flatten().min()
    }

    /// Whether its window and the backoff of its receiver let the next one start.
    pub(super) fn may_start(&self, now: Timestamp, policy: BackoffPolicy) -> bool {
        let free = |next| !self.in_backoff(now) || start_by(next, policy) <= now;
        matches!(self.moving, Moving::No) && self.has_free_slot() && self.next().is_some_and(free)
    }

    /// Takes out the first attempts, which are not to wait for the end of a backoff here.
    pub(super) fn turn_away(&mut self) -> Vec<Leased> {
        let (kept, away): (Vec<Leased>, Vec<Leased>) = self.waiting.drain(..).partition(is_retry);
        self.waiting = kept.into();
        away
    }

    /// Where its attempts go, if that takes a proof.
    pub(super) fn destination(&self) -> Option<&Destination> {
        self.destination.as_ref()
    }

    pub(super) fn next(&self) -> Option<&Leased> {
        self.waiting.front()
    }

    /// Takes the next one out: its attempt is under way from now on.
    pub(super) fn begin(&mut self, now: Timestamp) -> Option<Leased> {
        let leased = self.waiting.pop_front()?;
        self.under_way += 1;
        self.moved_at = now;
        Some(leased)
    }

    /// An attempt has ended, after so much time.
    pub(super) fn end(&mut self, arrived: bool, took: Duration, now: Timestamp) {
        self.moved_at = now;
        self.takes = Some(self.takes.map_or(took, |before| before * 7 / 8 + took / 8));
        self.under_way = self.under_way.saturating_sub(1);
        self.arrive();
        self.window = if arrived { (self.window + 1).min(self.most) } else { (self.window / 2).max(1) };
    }

    /// Takes out what was leased too long ago to start now.
    pub(super) fn drop_late(&mut self, now: Timestamp) -> Vec<Leased> {
        let late = |leased: &Leased| now.since(leased.since) > START_WITHIN;
        let count = self.waiting.iter().take_while(|leased| late(leased)).count();
        self.waiting.drain(..count).collect()
    }

    /// Whether something waits although no slot became free for long.
    pub(super) fn has_stopped(&self, now: Timestamp) -> bool {
        !self.waiting.is_empty() && !self.has_free_slot() && now.since(self.moved_at) >= STOPPED_AFTER
    }

    /// Takes out first attempts that are not sure to start in time, now that attempts take so long, and what was leased too
    /// long ago. Attempts after the first have a schedule to keep.
    pub(super) fn turn_away_excess(&mut self, now: Timestamp) -> Vec<Leased> {
        let takes = now.since(self.moved_at);
        self.takes = Some(self.takes.map_or(takes, |before| before.max(takes)));
        let mut away = self.drop_late(now);
        let most = self.window.saturating_mul(self.prefetch());
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(self.waiting.len());
        let (kept, excess): (Vec<Leased>, Vec<Leased>) =
            self.waiting.split_off(most).into_iter().partition(is_retry);
        self.waiting.extend(kept);
        away.extend(excess);
        away
    }

    pub(super) fn has_free_slot(&self) -> bool {
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
        let most = self.window.saturating_mul(self.prefetch());
        if waiting > most / 2 { 0 } else { most - waiting }
    }

    /// How many may wait for each slot: as many as are sure to start in time.
    fn prefetch(&self) -> u32 {
        let Some(takes) = self.takes else { return FIRST_PREFETCH };
        let in_time = (START_WITHIN / 4).as_micros() / takes.as_micros().max(1);
        u32::try_from(in_time).unwrap_or(MOST_PREFETCH).clamp(1, MOST_PREFETCH)
    }

    pub(super) fn has_none_under_way(&self) -> bool {
        self.under_way == 0
    }

    pub(super) fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }

    /// Whether its window is smaller than that of a receiver that nothing is known of.
    pub(super) fn is_in_trouble(&self) -> bool {
        self.window < FIRST_WINDOW.min(self.most)
    }
}

/// When a delivery starts even in a backoff: a later attempt keeps to its schedule within 5 %.
fn start_by(leased: &Leased, policy: BackoffPolicy) -> Timestamp {
    leased.delivery.next_attempt_at().unwrap_or(leased.since).plus(policy.longest())
}
