//! How the opening of a connection went, told to the exchange that asked for it.
//!
//! hyper's pool stands between a request and the connector. The request runs inside [`watched`]; the
//! connector, which the pool calls in the request's own task, leaves a [`Trace`] there as it sets out. So
//! the exchange knows how far the connection came even when it never came about. Which connection
//! carried the request in the end is told by [`Opened`](crate::connection::Opened): when another one became free
//! first, the new one goes to the pool and its times belong to no exchange.

use std::cell::RefCell;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_webhooks::ports::Timings;
use tokio::task_local;
use tokio::time::Instant;

/// The steps of one connection.
#[derive(Debug, Default)]
pub(crate) struct Trace(Mutex<Steps>);

#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    taken: Timings,
    under_way: Option<(Step, Instant)>,
    tried: Option<SocketAddr>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Dns,
    Connect,
    Tls,
}

task_local! {
    static TRACE: RefCell<Option<Arc<Trace>>>;
}

/// Runs an exchange; answers the trace of the last connection that was opened for it as well.
pub(crate) async fn watched<T>(exchange: impl Future<Output = T>) -> (T, Option<Arc<Trace>>) {
    let watched = async {
        let ended = exchange.await;
        (ended, TRACE.with(RefCell::take))
    };
    TRACE.scope(RefCell::default(), watched).await
}

impl Trace {
    /// The trace of a connection that is to be opened, left for the exchange that waits for it.
    pub(crate) fn set_out() -> Arc<Self> {
        let trace = Arc::<Self>::default();
        // Outside of an exchange no caller reads it.
        let _ = TRACE.try_with(|trace_of_exchange| trace_of_exchange.replace(Some(Arc::clone(&trace))));
        trace
    }

    /// Ends the step under way and begins another.
    pub(crate) fn begin(&self, step: Step) {
        let now = Instant::now();
        let mut steps = self.steps();
        steps.end(now);
        steps.under_way = Some((step, now));
    }

    /// Ends the step under way.
    pub(crate) fn end(&self) {
        self.steps().end(Instant::now());
    }

    /// Notes which address is tried now.
    pub(crate) fn try_address(&self, address: SocketAddr) {
        self.steps().tried = Some(address);
    }

    /// The times of the steps so far, a step under way included, and the address that was tried last.
    pub(crate) fn so_far(&self) -> (Timings, Option<SocketAddr>) {
        let mut steps = *self.steps();
        steps.end(Instant::now());
        (steps.taken, steps.tried)
    }

    fn steps(&self) -> MutexGuard<'_, Steps> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Steps {
    fn end(&mut self, now: Instant) {
        let Some((step, since)) = self.under_way.take() else { return };
        let took: Option<Duration> = Some(now.duration_since(since));
        match step {
            Step::Dns => self.taken.dns = took,
            Step::Connect => self.taken.connect = took,
            Step::Tls => self.taken.tls = took,
        }
    }
}
