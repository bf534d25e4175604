//! Changes that a store undid for another one's sake run again.

use crate::error::StoreError;
use crate::refused::Refused;

/// How often a change runs at most.
const MOST_RUNS: usize = 3;

/// An error which may say that a store undid everything of a change, see [`StoreError::Undone`].
pub trait MayBeUndone {
    /// Whether it did, so that the same change may run again at once.
    fn is_undone(&self) -> bool;
}

impl MayBeUndone for StoreError {
    fn is_undone(&self) -> bool {
        matches!(self, Self::Undone)
    }
}

impl<E> MayBeUndone for Refused<E> {
    fn is_undone(&self) -> bool {
        matches!(self, Self::Store(StoreError::Undone))
    }
}

/// Runs a change, three times at most while the store undoes everything of it: of two changes that wait for each other a
/// database ends one, and neither caller has done anything wrong. Each run begins a unit of work of its own.
///
/// # Errors
/// Those of the last run.
pub async fn until_done<T, E: MayBeUndone, R>(run: impl Fn() -> R) -> Result<T, E>
where
    R: Future<Output = Result<T, E>>,
{
    for _ in 1..MOST_RUNS {
        match run().await {
            Err(error) if error.is_undone() => {}
            outcome => return outcome,
        }
    }
    run().await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// What comes of a change that ends so as often as given, and passes then; and how often it ran.
    async fn runs<E: MayBeUndone>(ends: usize, so: fn() -> E) -> (Result<(), E>, usize) {
        let ran = AtomicUsize::new(0);
        let outcome = until_done(|| {
            let number = ran.fetch_add(1, Ordering::Relaxed);
            async move { if number < ends { Err(so()) } else { Ok(()) } }
        });
        (outcome.await, ran.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn what_the_store_undid_runs_again_and_at_most_three_times() {
        for (ends, passes, ran) in [(0, true, 1), (1, true, 2), (2, true, 3), (3, false, 3)] {
            let (outcome, number) = runs(ends, || StoreError::Undone).await;
            assert_eq!((outcome.is_ok(), number), (passes, ran), "{ends}");
            let (outcome, number) = runs(ends, || Refused::<()>::Store(StoreError::Undone)).await;
            assert_eq!((outcome.is_ok(), number), (passes, ran), "{ends}");
        }
    }

    #[tokio::test]
    async fn what_ended_otherwise_does_not() {
        for so in [(|| StoreError::Busy) as fn() -> StoreError, || StoreError::Conflict] {
            let (outcome, number) = runs(1, so).await;
            assert_eq!((outcome.is_err(), number), (true, 1));
        }
        let (outcome, number) = runs(1, || Refused::<()>::NotFound).await;
        assert_eq!((outcome.is_err(), number), (true, 1));
    }
}
