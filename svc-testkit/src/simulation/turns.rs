//! One unit of work at a time, for a store that makes others wait in real time.
//!
//! A unit of work of a database may hold a lock while its task sleeps in the time of the world. Another task that
//! waited for the lock in real time would wait for ever, since the world has one thread. So a task that changes
//! something takes a turn first, and waits for it in the time of the world.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use super::world::World;

/// Gives turns; clones give the same ones.
#[derive(Clone)]
pub(super) struct Turns {
    world: World,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    taken: bool,
    waiting: Vec<Waker>,
}

/// A turn, until it is dropped.
pub(super) struct Turn(Arc<Mutex<State>>);

impl Turns {
    pub(super) fn new(world: World) -> Self {
        Self { world, state: Arc::default() }
    }

    /// Waits until no other turn is taken; of those that wait, chance picks the next.
    pub(super) async fn take(&self) -> Turn {
        poll_fn(|cx| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if std::mem::replace(&mut state.taken, true) {
                state.waiting.push(cx.waker().clone());
                self.world.task_waits();
                return Poll::Pending;
            }
            Poll::Ready(Turn(Arc::clone(&self.state)))
        })
        .await
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken = false;
        state.waiting.drain(..).for_each(Waker::wake);
    }
}
