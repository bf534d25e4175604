//! Which delivery is attempted next: every subscription in turn, and no more
//! of one than its receiver takes well.
//!
//! A [`Scheduler`] holds the deliveries that a worker has leased. It is pure: the
//! worker puts leased deliveries in ([`Scheduler::offer`]), takes the next one out
//! for an attempt ([`Scheduler::start`]) and says how that ended ([`Scheduler::ended`]).
//!
//! What holds which attempts back:
//!
//! 1. **Each subscription** has a *window*, the number of its attempts that may
//!    be under way. It starts at [`FIRST_WINDOW`], grows by one with each
//!    success up to what the subscription allows, and is halved by each
//!    failure down to one (the rule of TCP, RFC 5681). So a receiver that never
//!    answers soon has a single attempt waiting for its time-out, and takes
//!    no slot from other receivers; and one that comes back is at full speed after a few
//!    answers. No attempt is skipped, and none is counted that was not made.
//! 2. **Each company** has a quarter of all slots at most while others have
//!    something to send.
//! 3. **Attempts after the first** have three quarters of all slots at most,
//!    so that what happens now is not held up by what went wrong before.
//! 4. **A receiver that only fails** is in *backoff* between attempts: not at first,
//!    then longer with each failure, up to 5 % of the shortest wait (3 seconds), and
//!    as long as it asked for with `Retry-After`. A backoff holds back first
//!    attempts until its end; attempts after the first have a schedule to keep,
//!    and wait for those 3 seconds at most. See [`crate::health::ReceiverBackoff`]:
//!    what other servers learnt comes along with each delivery.
//! 5. **A host that never answered 2xx** gets a few attempts at a time, one of each subscription, and a pause of
//!    [`TRICKLE`] after each that failed, over all subscriptions that name it: it has not shown that it wants
//!    notifications. So does one that failed many times in a row. Hosts at one address share it.
//! 6. Within these limits subscriptions take turns, one delivery each.
//!
//! What waits for a slot has a bound too: in all, of each company (half of all), and of each subscription, as
//! much as its receiver is sure to take in time. A receiver that took much and then stops has most of that taken back
//! once nothing has ended for a second, so that it holds up the deliveries of no other.
//!
//! A delivery that could not start within [`START_WITHIN`] of its lease is not
//! started any more ([`Scheduler::late`]): the lease must outlive the attempt, and
//! the subscription may have been changed meanwhile.

mod backoff;
mod free_slots;
mod lane;
mod proof;
mod waiting;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, SubscriptionId};

pub use self::free_slots::FreeSlots;
use self::lane::Lane;
use self::proof::Proofs;
pub use self::proof::TRICKLE;
use self::waiting::Waiting;
use crate::health::BackoffPolicy;
use crate::ports::{ClaimRequest, Leased};
use crate::retry::RetrySchedule;

/// Attempts that may be under way to a receiver that nothing is known of.
pub const FIRST_WINDOW: u32 = 4;
/// How long a leased delivery may wait for its slot.
pub const START_WITHIN: Duration = Duration::from_secs(5);
/// How long the scheduler trusts a backoff before a claim looks whether another server has newer knowledge.
pub const RECHECK_AFTER: Duration = Duration::from_secs(15);
/// Deliveries that may wait for each slot of the window of a receiver whose speed is not known.
const FIRST_PREFETCH: u32 = 4;
/// Receivers whose windows are remembered while nothing is under way to them.
const REMEMBERED: usize = 1_000;

/// How much a scheduler takes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Attempts under way at a time.
    pub attempts: u32,
    /// Leased deliveries that wait for one, at most.
    pub waiting: u32,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Whose receiver it was.
    pub subscription: SubscriptionId,
    /// The company of the subscription.
    pub account: AccountId,
    /// Whether it was an attempt after the first.
    pub retry: bool,
    /// Whether the receiver answered 2xx.
    pub arrived: bool,
    /// From start to end.
    pub took: Duration,
    /// When it ended; `None` for a delivery that ended without an attempt, which tells nothing of the receiver.
    pub at: Option<Timestamp>,
    /// Until when the receiver asked to be left alone, if it failed.
    pub asked_until: Option<Timestamp>,
    /// The address that the attempt reached, or tried last.
    pub peer: Option<IpAddr>,
}

/// The deliveries that a worker has leased, in lanes.
#[derive(Debug)]
pub struct Scheduler {
    capacity: Capacity,
    policy: BackoffPolicy,
    /// The latest instant that was told.
    now: Timestamp,
    lanes: HashMap<SubscriptionId, Lane>,
    proofs: Proofs,
    /// Lanes whose receivers are in backoff.
    in_backoff: BTreeSet<SubscriptionId>,
    /// Lanes that may start something, in turn; each is in here once.
    turn: VecDeque<SubscriptionId>,
    /// Attempts under way of each company.
    companies: BTreeMap<AccountId, u32>,
    waiting: Waiting,
    under_way: u32,
    retries: u32,
    late: Vec<Leased>,
    /// When it is looked next whether receivers have stopped.
    stop_check: Timestamp,
    /// Whether something that was full is not any more.
    room_gained: bool,
    /// Whether a backoff ended before its time.
    backoff_ended: bool,
}

impl Scheduler {
    /// Nothing under way, nothing waiting; backoffs by the standard schedule.
    #[must_use]
    pub fn new(capacity: Capacity) -> Self {
        Self::with_schedule(capacity, &RetrySchedule::STANDARD)
    }

    /// Nothing under way, nothing waiting; backoffs by this schedule.
    #[must_use]
    pub fn with_schedule(capacity: Capacity, schedule: &RetrySchedule) -> Self {
        Self {
            capacity,
            policy: BackoffPolicy::of(schedule),
            now: Timestamp::default(),
            lanes: HashMap::new(),
            proofs: Proofs::default(),
            in_backoff: BTreeSet::new(),
            turn: VecDeque::new(),
            companies: BTreeMap::new(),
            waiting: Waiting::new(capacity.waiting),
            under_way: 0,
            retries: 0,
            late: Vec::new(),
            stop_check: Timestamp::default(),
            room_gained: false,
            backoff_ended: false,
        }
    }

    /// Attempts under way.
    #[must_use]
    pub fn under_way(&self) -> u32 {
        self.under_way
    }

    /// Leased deliveries that wait for their slot.
    #[must_use]
    pub fn waiting(&self) -> u32 {
        self.waiting.all()
    }

    /// Receivers that get fewer attempts at a time than one of which nothing is known.
    #[must_use]
    pub fn in_trouble(&self) -> usize {
        self.lanes.values().filter(|lane| lane.is_in_trouble()).count()
    }

    /// Whether there is room where there was none, since the worker asked last: for a receiver, for attempts after
    /// the first, or in all.
    pub fn room_gained(&mut self) -> bool {
        std::mem::take(&mut self.room_gained)
    }

    /// How many more deliveries may be leased in all.
    #[must_use]
    pub fn room(&self) -> u32 {
        self.waiting.room()
    }

    /// What to claim next, `limit` deliveries at most; `None` when there is room for nothing.
    #[must_use]
    pub fn claim_request(&self, limit: u32) -> Option<ClaimRequest> {
        let limit = limit.min(self.room());
        let retries = self.retries < self.retry_slots();
        let each = FIRST_WINDOW * FIRST_PREFETCH;
        let shares = self.waiting.shares(self.lanes.values().filter_map(|lane| lane.account));
        let room = |lane: &Lane| {
            let (own, share) = (self.room_of(lane), lane.account.and_then(|account| shares.get(&account)));
            share.map_or(own, |share| own.min(*share.max(&each)))
        };
        let room = self.lanes.iter().map(|(id, lane)| (*id, room(lane))).collect();
        let trusted =
            |id: &&SubscriptionId| self.lanes.get(*id).is_some_and(|lane| lane.trusts_backoff(self.now));
        let in_backoff = self.in_backoff.iter().filter(trusted).copied().collect();
        (limit > 0).then_some(ClaimRequest { limit, each, room, retries, in_backoff })
    }

    /// Takes in a leased delivery, to be started in its turn.
    pub fn offer(&mut self, leased: Leased) {
        let id = leased.delivery.subscription;
        self.now = self.now.max(leased.since);
        let before = self.full(id);
        let lane = self.lanes.entry(id).or_default();
        let outdated = lane.learn(&leased, self.policy);
        if let Some(destination) = lane.destination().filter(|_| leased.backoff.has_succeeded) {
            self.proofs.prove(destination);
        }
        self.waiting.add(leased.delivery.account);
        lane.put(leased);
        self.turn_away(outdated);
        self.note_backoff(id);
        self.note_room(id, before);
        self.list(id);
    }

    /// The next delivery to attempt, if there is a slot for one.
    pub fn start(&mut self, now: Timestamp) -> Option<Leased> {
        self.now = self.now.max(now);
        for _ in 0..self.turn.len() {
            if self.under_way >= self.capacity.attempts {
                return None;
            }
            let id = self.turn.pop_front()?;
            let before = self.full(id);
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            lane.listed = false;
            let expired = lane.drop_late(now);
            self.turn_away(expired);
            let next = self.may_start(id).then(|| self.take(id)).flatten();
            self.note_room(id, before);
            if next.is_some() {
                return next;
            }
            self.list(id);
        }
        None
    }

    /// An attempt has ended.
    pub fn ended(&mut self, attempt: Ended) {
        let Ended { subscription, account, retry, arrived, took, at, asked_until, peer } = attempt;
        self.now = self.now.max(at.unwrap_or(self.now));
        let before = self.full(subscription);
        self.under_way = self.under_way.saturating_sub(1);
        self.retries = self.retries.saturating_sub(u32::from(retry));
        if let Some(count) = self.companies.get_mut(&account) {
            *count -= 1;
            if *count == 0 {
                self.companies.remove(&account);
            }
        }
        if let Some(lane) = self.lanes.get_mut(&subscription) {
            if let Some(destination) = lane.destination() {
                self.proofs.ended(destination, arrived, at, peer);
            }
            lane.end(arrived, took, self.now);
            if let Some(at) = at {
                lane.set_backoff(lane.backoff.after(arrived, at, asked_until), at, self.policy);
            }
        }
        self.note_backoff(subscription);
        self.note_room(subscription, before);
        let forgettable = |lane: &Lane| lane.is_idle() && !lane.in_backoff(self.now);
        if self.lanes.len() > REMEMBERED && self.lanes.get(&subscription).is_some_and(forgettable) {
            self.lanes.remove(&subscription);
        }
        self.list(subscription);
    }

    /// The deliveries that waited too long, whose receivers are in backoff or that were leased for a former URL: their
    /// leases are to be given back.
    pub fn late(&mut self) -> Vec<Leased> {
        std::mem::take(&mut self.late)
    }

    /// Everything that waits: their leases are to be given back.
    pub fn clear(&mut self) -> Vec<Leased> {
        self.turn.clear();
        self.waiting = Waiting::new(self.capacity.waiting);
        // Of a delivery that was leased again since, the latest lease comes last.
        let mut left = self.late();
        left.extend(self.lanes.values_mut().flat_map(|lane| lane.waiting.drain(..)));
        left
    }

    fn may_start(&self, id: SubscriptionId) -> bool {
        let Some((lane, next)) = self.lanes.get(&id).and_then(|lane| Some((lane, lane.next()?))) else {
            return false;
        };
        let company = self.companies.get(&next.delivery.account).copied().unwrap_or_default();
        let others = self.companies.len() > usize::from(company > 0) || !self.turn.is_empty();
        lane.may_start(self.now, self.policy)
            && lane.destination().is_none_or(|destination| {
                self.proofs.is_proven(destination)
                    || (lane.has_none_under_way() && self.proofs.may_start(destination, self.now))
            })
            && !(is_retry(next) && self.retries >= self.retry_slots())
            && !(others && company >= self.company_slots())
    }

    fn take(&mut self, id: SubscriptionId) -> Option<Leased> {
        let lane = self.lanes.get_mut(&id)?;
        let leased = lane.begin(self.now)?;
        if let Some(destination) = lane.destination() {
            self.proofs.begin(destination);
        }
        self.waiting.remove(leased.delivery.account);
        self.under_way += 1;
        self.retries += u32::from(is_retry(&leased));
        *self.companies.entry(leased.delivery.account).or_default() += 1;
        self.list(id);
        Some(leased)
    }

    /// Whether there is no room for this receiver, for attempts after the first, in all.
    fn full(&self, id: SubscriptionId) -> [bool; 3] {
        let lane = self.lanes.get(&id).is_some_and(|lane| self.room_of(lane) == 0);
        [lane, self.retries >= self.retry_slots(), self.room() == 0]
    }

    /// How many more of a lane may be leased. What would wait for a host without a proof would wait too long.
    fn room_of(&self, lane: &Lane) -> u32 {
        let unproven = lane.destination().is_some_and(|destination| !self.proofs.is_proven(destination));
        let of_company = lane.account.map_or(u32::MAX, |account| self.waiting.room_of(account));
        if unproven { u32::from(lane.is_idle()) } else { lane.room() }.min(of_company)
    }

    /// Takes these out, whose leases are to be given back.
    fn turn_away(&mut self, away: Vec<Leased>) {
        for leased in &away {
            self.waiting.remove(leased.delivery.account);
        }
        self.late.extend(away);
    }

    fn note_room(&mut self, id: SubscriptionId, before: [bool; 3]) {
        self.room_gained |= before.into_iter().zip(self.full(id)).any(|(before, after)| before && !after);
    }

    /// Gives a lane its turn again, if it has something that its window lets start.
    fn list(&mut self, id: SubscriptionId) {
        let Some(lane) = self.lanes.get_mut(&id) else { return };
        if !lane.listed && lane.may_start(self.now, self.policy) {
            lane.listed = true;
            self.turn.push_back(id);
        }
    }

    fn retry_slots(&self) -> u32 {
        (self.capacity.attempts - self.capacity.attempts / 4).max(1)
    }

    fn company_slots(&self) -> u32 {
        (self.capacity.attempts / 4).max(1)
    }
}

fn is_retry(leased: &Leased) -> bool {
    leased.delivery.attempts > 0
}
