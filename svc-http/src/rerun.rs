//! Changes that the store undid for another one's sake run again.

use crate::problem::Problem;

/// How often a change runs at most.
const MOST_RUNS: usize = 3;

/// Runs a change, and runs it again when the store undid [everything of it](svc_core::error::StoreError::Undone): of two
/// requests that wait for each other a database ends one, and neither client has done anything wrong.
///
/// # Errors
/// Those of the last run.
pub(crate) async fn until_done<T, R>(run: impl Fn() -> R) -> Result<T, Problem>
where
    R: Future<Output = Result<T, Problem>>,
{
    for _ in 1..MOST_RUNS {
        match run().await {
            Err(problem) if problem.is_undone() => tracing::info!("the store undid a request: it runs again"),
            outcome => return outcome,
        }
    }
    run().await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use svc_core::error::StoreError;

    use super::*;

    /// What comes of a change that ends so as often as given, and passes then; and how often it ran.
    async fn runs(ends: usize, so: fn() -> Problem) -> (Result<(), Problem>, usize) {
        let ran = AtomicUsize::new(0);
        let outcome = until_done(|| {
            let number = ran.fetch_add(1, Ordering::Relaxed);
            async move { if number < ends { Err(so()) } else { Ok(()) } }
        });
        (outcome.await, ran.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn what_the_store_undid_runs_again_and_at_most_three_times() {
        let undone: fn() -> Problem = || StoreError::Undone.into();
        for (ends, passes, ran) in [(0, true, 1), (1, true, 2), (2, true, 3), (3, false, 3)] {
            let (outcome, runs) = runs(ends, undone).await;
            assert_eq!((outcome.is_ok(), runs), (passes, ran), "{ends}");
        }
    }

    #[tokio::test]
    async fn what_is_only_busy_or_was_partly_done_does_not() {
        let ends: [fn() -> Problem; 3] = [
            || StoreError::Busy.into(),
            || StoreError::Conflict.into(),
            || Problem::from(StoreError::Undone).partly_done(),
        ];
        for so in ends {
            let (outcome, runs) = runs(1, so).await;
            assert_eq!((outcome.is_err(), runs), (true, 1));
        }
    }
}
