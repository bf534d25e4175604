//! What many ask for at the same time is done at once.
//!
//! While some work is on its way, what is asked for meanwhile gathers, and goes
//! next, all of it together. What is alone goes at once, and no request waits for a
//! clock. No request joins work that has gone: so one that asks to read sees at
//! least what was committed before.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How many may wait at a time.
const MOST_WAITING: usize = 10_000;
/// Work that takes longer is given up, as it cannot be told whether its connection still lives.
const LONGEST: Duration = Duration::from_secs(30);

/// Work that can be done for many at once.
#[async_trait]
pub(crate) trait BatchJob: Send + Sync + 'static {
    /// What one asks for.
    type Request: Send + 'static;
    /// What one is told.
    type Answer: Send + 'static;

    /// How much of [`BatchJob::MOST`] it takes.
    fn weight(ask: &Self::Request) -> usize;

    /// What goes together at most, unless one alone weighs more.
    const MOST: usize;

    /// Does it, and tells everybody.
    async fn run(&self, asked: Vec<BatchRequest<Self>>);
}

/// What one asks for, and where the answer goes.
pub(crate) struct BatchRequest<J: BatchJob + ?Sized> {
    pub(super) ask: J::Request,
    pub(super) answer: oneshot::Sender<J::Answer>,
}

/// Work that gathers.
pub(crate) struct Batcher<J: BatchJob>(Arc<Inner<J>>);

struct Inner<J: BatchJob> {
    job: J,
    runtime: Handle,
    state: Mutex<State<J>>,
}

struct State<J: BatchJob> {
    waiting: Vec<BatchRequest<J>>,
    running: bool,
}

impl<J: BatchJob> Batcher<J> {
    pub(super) fn new(job: J, runtime: Handle) -> Self {
        let state = Mutex::new(State { waiting: Vec::new(), running: false });
        Self(Arc::new(Inner { job, runtime, state }))
    }

    /// Asks; `None` when too many wait, or the work was given up. Who goes away does not stop it half-way.
    pub(super) async fn ask(&self, ask: J::Request) -> Option<J::Answer> {
        let (answer, told) = oneshot::channel();
        {
            let mut state = self.0.state();
            if state.waiting.len() >= MOST_WAITING {
                return None;
            }
            state.waiting.push(BatchRequest { ask, answer });
        }
        self.0.go_on();
        told.await.ok()
    }
}

impl<J: BatchJob> Inner<J> {
    /// Begins with what has gathered, if nothing is on its way.
    fn go_on(self: &Arc<Self>) {
        let mut state = self.state();
        if state.running || state.waiting.is_empty() {
            return;
        }
        state.running = true;
        let asked = state.next();
        drop(state);
        let turn = BatchRun(Arc::clone(self));
        self.runtime.spawn(async move {
            if timeout(LONGEST, turn.0.job.run(asked)).await.is_err() {
                tracing::error!("the database did not answer in time; what units asked for is given up");
            }
        });
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J: BatchJob> State<J> {
    /// What goes next.
    fn next(&mut self) -> Vec<BatchRequest<J>> {
        let mut weight = 0;
        let fits = self.waiting.iter().take_while(|one| {
            weight += J::weight(&one.ask);
            weight <= J::MOST
        });
        let many = fits.count().max(1);
        self.waiting.drain(..many).collect()
    }
}

/// Work on its way; whatever ends it lets the next begin.
struct BatchRun<J: BatchJob>(Arc<Inner<J>>);

impl<J: BatchJob> Drop for BatchRun<J> {
    fn drop(&mut self) {
        self.0.state().running = false;
        self.0.go_on();
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// Tells each how many went together, once it may.
    struct Together(Arc<Semaphore>);

    #[async_trait]
    impl BatchJob for Together {
        type Request = usize;
        type Answer = usize;

        const MOST: usize = 4;

        fn weight(ask: &usize) -> usize {
            *ask
        }

        async fn run(&self, asked: Vec<BatchRequest<Self>>) {
            self.0.acquire().await.expect("open").forget();
            assert!(asked.iter().all(|one| one.ask != 0), "the job breaks");
            let many = asked.len();
            for one in asked {
                let _gone = one.answer.send(many);
            }
        }
    }

    fn gather() -> (Arc<Batcher<Together>>, Arc<Semaphore>) {
        let may = Arc::new(Semaphore::new(0));
        (Arc::new(Batcher::new(Together(Arc::clone(&may)), Handle::current())), may)
    }

    /// Asks, and has asked when this returns.
    async fn asked(gather: &Arc<Batcher<Together>>, ask: usize) -> tokio::task::JoinHandle<Option<usize>> {
        let before = gather.0.state().waiting.len();
        let idle = !gather.0.state().running;
        let inside = Arc::clone(gather);
        let told = tokio::spawn(async move { inside.ask(ask).await });
        while gather.0.state().waiting.len() == before && !(idle && gather.0.state().running) {
            tokio::task::yield_now().await;
        }
        told
    }

    #[tokio::test]
    async fn what_is_asked_for_meanwhile_goes_together_as_far_as_it_fits() {
        let (gather, may) = gather();
        let mut told = Vec::new();
        for weight in [1, 1, 2, 1, 9, 1] {
            told.push(asked(&gather, weight).await);
        }
        may.add_permits(4);
        let mut together = Vec::new();
        for told in told {
            together.push(told.await.expect("a task"));
        }
        assert_eq!(together, [1, 3, 3, 3, 1, 1].map(Some), "alone; what fits; too heavy for any; the rest");
    }

    #[tokio::test]
    async fn work_that_breaks_is_given_up_and_the_next_begins() {
        let (gather, may) = gather();
        let broken = asked(&gather, 0).await;
        let next = asked(&gather, 1).await;
        may.add_permits(2);
        assert_eq!(broken.await.expect("a task"), None);
        assert_eq!(next.await.expect("a task"), Some(1));
    }

    #[tokio::test]
    async fn who_goes_away_stops_nothing() {
        let (gather, may) = gather();
        let gone = asked(&gather, 1).await;
        let next = asked(&gather, 1).await;
        gone.abort();
        may.add_permits(2);
        assert_eq!(next.await.expect("a task"), Some(1));
    }
}
