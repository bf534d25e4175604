//! Time, chance and tasks: a runtime of one thread that repeats with its seed.
//!
//! Tasks belong to processes. Of those that can go on, chance picks the next
//! one; when none can, time moves on to the next timer. A process can be
//! crashed, which drops its tasks wherever they wait, or stalled, which keeps
//! them from going on for a while, as a stopped process or a long pause would.
//!
//! What a task waits for in real time, an answer of a database, takes no time in
//! the world: the runtime waits with it.

mod bell;
mod ready;

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use svc_core::clock::Timestamp;

pub(super) use self::bell::Bell;
use self::ready::{Ready, TaskWaker};
use crate::fakes::SeededRandom;

/// The number of a process; what belongs to [`OUTSIDE`] neither crashes nor stalls.
pub(super) type Process = usize;

pub(super) const OUTSIDE: Process = usize::MAX;

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What everything in a simulation holds on to; clones are the same world.
#[derive(Clone)]
pub(super) struct World(Arc<Inner>);

struct Inner {
    random: SeededRandom,
    ready: Arc<Ready>,
    state: Mutex<State>,
}

struct State {
    now: Timestamp,
    /// Whether the task that was polled last waits for something of the world.
    waits: bool,
    timers: BTreeMap<(Timestamp, u64), Waker>,
    /// Tasks that were begun and not looked at yet.
    begun: Vec<(Process, Work)>,
    numbers: u64,
}

impl World {
    pub(super) fn new(seed: u64, now: Timestamp) -> Self {
        let state = State { now, waits: false, timers: BTreeMap::new(), begun: Vec::new(), numbers: 0 };
        Self(Arc::new(Inner {
            random: SeededRandom::new(seed),
            ready: Arc::default(),
            state: Mutex::new(state),
        }))
    }

    /// The true instant; the clocks of servers may differ.
    pub(super) fn now(&self) -> Timestamp {
        self.state().now
    }

    pub(super) fn random(&self) -> &SeededRandom {
        &self.0.random
    }

    /// A number below `bound`.
    pub(super) fn below(&self, bound: u64) -> u64 {
        self.0.random.next_u64() % bound.max(1)
    }

    /// Whether something happens that happens once in so many times.
    pub(super) fn once_in(&self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(super) fn between(&self, least: Duration, most: Duration) -> Duration {
        let span = u64::try_from(most.saturating_sub(least).as_micros()).unwrap_or(u64::MAX);
        least + Duration::from_micros(self.below(span.saturating_add(1)))
    }

    pub(super) fn sleep(&self, time: Duration) -> Sleep {
        let number = self.number();
        Sleep { world: self.clone(), key: (self.now().plus(time), number) }
    }

    pub(super) fn spawn(&self, process: Process, work: impl Future<Output = ()> + Send + 'static) {
        self.state().begun.push((process, Box::pin(work)));
    }

    /// The task that is polled waits for something of the world.
    pub(super) fn task_waits(&self) {
        self.state().waits = true;
    }

    fn number(&self) -> u64 {
        let mut state = self.state();
        state.numbers += 1;
        state.numbers
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ready(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.0.ready.tasks()
    }
}

/// Waits for an instant.
pub(super) struct Sleep {
    world: World,
    key: (Timestamp, u64),
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.world.state();
        if self.key.0 <= state.now {
            return Poll::Ready(());
        }
        state.timers.insert(self.key, cx.waker().clone());
        state.waits = true;
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.world.state().timers.remove(&self.key);
    }
}

/// Runs the tasks of a world.
pub(super) struct Runtime {
    world: World,
    tasks: BTreeMap<u64, (Process, Work)>,
    stalled: BTreeMap<Process, Timestamp>,
    /// Changes with every step: two runs that did the same have the same one.
    pub(super) digest: u64,
    pub(super) steps: u64,
}

impl Runtime {
    pub(super) fn new(world: World) -> Self {
        Self { world, tasks: BTreeMap::new(), stalled: BTreeMap::new(), digest: 0, steps: 0 }
    }

    /// Lets one task go on, or time; answers whether there is anything left to do.
    pub(super) fn step(&mut self) -> bool {
        self.take_in();
        let now = self.world.now();
        self.stalled.retain(|_, until| *until > now);
        let ready: Vec<u64> = {
            let ready = self.world.ready();
            let goes_on = |task: &&u64| {
                self.tasks.get(*task).is_some_and(|(process, _)| !self.stalled.contains_key(process))
            };
            ready.iter().filter(goes_on).copied().collect()
        };
        let chosen = self.world.below(ready.len() as u64);
        let Some(task) = usize::try_from(chosen).ok().and_then(|chosen| ready.get(chosen)) else {
            return self.pass();
        };
        self.steps += 1;
        self.note(*task ^ now.unix_micros().cast_unsigned());
        self.poll(*task);
        true
    }

    /// Lets a task go on until it waits for something of the world, or lets others go on: while it waits for a database it may hold a
    /// connection, which a world that goes on meanwhile, and stalls it, would take from all others.
    fn poll(&mut self, task: u64) {
        let Some((_, work)) = self.tasks.get_mut(&task) else {
            self.world.ready().remove(&task);
            return;
        };
        let ready = &self.world.0.ready;
        let waker = TaskWaker::of(task, ready);
        loop {
            ready.tasks().remove(&task);
            ready.has_yielded(task);
            self.world.state().waits = false;
            if work.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                self.tasks.remove(&task);
                return;
            }
            if self.world.state().waits || ready.has_yielded(task) {
                return;
            }
            ready.wait_for(task);
        }
    }

    fn take_in(&mut self) {
        let begun = std::mem::take(&mut self.world.state().begun);
        for (process, work) in begun {
            let task = self.world.number();
            self.tasks.insert(task, (process, work));
            self.world.ready().insert(task);
        }
    }

    /// Moves on to the next instant at which something happens.
    fn pass(&mut self) -> bool {
        let mut state = self.world.state();
        let timer = state.timers.first_key_value().map(|((at, _), _)| *at);
        let Some(next) = timer.into_iter().chain(self.stalled.values().copied()).min() else {
            return false;
        };
        state.now = state.now.max(next);
        let due = state.timers.split_off(&(next.plus(Duration::from_micros(1)), 0));
        let due = std::mem::replace(&mut state.timers, due);
        drop(state);
        for waker in due.into_values() {
            waker.wake();
        }
        true
    }

    /// Drops the tasks of a process, wherever they are.
    pub(super) fn crash(&mut self, process: Process) {
        self.take_in();
        self.stalled.remove(&process);
        let gone: Vec<u64> =
            self.tasks.iter().filter(|(_, (of, _))| *of == process).map(|(task, _)| *task).collect();
        for task in gone {
            self.tasks.remove(&task);
        }
        self.note(process as u64);
    }

    pub(super) fn stall(&mut self, process: Process, time: Duration) {
        self.stalled.insert(process, self.world.now().plus(time));
    }

    pub(super) fn is_stalled(&self, process: Process) -> bool {
        self.stalled.contains_key(&process)
    }

    /// FNV-1a.
    fn note(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Drop for Runtime {
    /// Tasks hold on to the world, and the world to those that were only begun.
    fn drop(&mut self) {
        self.tasks.clear();
        let begun = std::mem::take(&mut self.world.state().begun);
        drop(begun);
        self.world.ready().clear();
    }
}
