//! A bell that one task waits for.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use super::World;

/// Wakes one waiting task, at once or as soon as it waits.
#[derive(Clone)]
pub(in super::super) struct Bell {
    world: World,
    rung: Arc<Mutex<(bool, Option<Waker>)>>,
}

impl Bell {
    pub(in super::super) fn new(world: World) -> Self {
        Self { world, rung: Arc::default() }
    }

    pub(in super::super) fn ring(&self) {
        let mut bell = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        bell.0 = true;
        if let Some(waker) = bell.1.take() {
            waker.wake();
        }
    }

    pub(in super::super) fn rung(&self) -> impl Future<Output = ()> + Send + use<> {
        let Self { world, rung } = self.clone();
        std::future::poll_fn(move |cx| {
            let mut bell = rung.lock().unwrap_or_else(PoisonError::into_inner);
            if std::mem::take(&mut bell.0) {
                return Poll::Ready(());
            }
            bell.1 = Some(cx.waker().clone());
            world.task_waits();
            Poll::Pending
        })
    }
}
