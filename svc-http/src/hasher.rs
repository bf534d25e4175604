//! Passwords are hashed on threads that may block, and few at once.
//!
//! Each hash takes the memory of its parameters, 19 MiB by default, and a core
//! for as long. Requests beyond that wait; when too many wait, the next one is
//! told to come back instead of queueing behind them.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{HasherError, PasswordHasher, Salt};
use svc_auth::session::{Argon2id, PasswordHash, PasswordText};
use tokio::sync::Semaphore;

/// Passwords that are hashed at once.
const RUNNING: usize = 2;
/// Requests that wait for their turn: a second or two of work.
const WAITING: usize = 62;

/// Runs argon2id on tokio's threads for blocking work.
#[derive(Clone, Debug)]
pub struct BlockingHasher {
    parameters: Arc<Argon2id>,
    /// Requests that are here at all.
    places: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl BlockingHasher {
    /// Hashes with these parameters.
    #[must_use]
    pub fn new(parameters: Argon2id) -> Self {
        Self {
            parameters: Arc::new(parameters),
            places: Arc::new(Semaphore::new(RUNNING + WAITING)),
            running: Arc::new(Semaphore::new(RUNNING)),
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2id) -> Result<T, HasherError> + Send + 'static,
    ) -> Result<T, HasherError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| HasherError::Busy)?;
        let turn = Arc::clone(&self.running).acquire_owned().await.map_err(|_| HasherError::Failed)?;
        let parameters = Arc::clone(&self.parameters);
        // The thread goes on when its request is gone, so it holds its turn to the end.
        let thread = tokio::task::spawn_blocking(move || {
            let (_place, _turn) = (place, turn);
            work(&parameters)
        });
        thread.await.unwrap_or(Err(HasherError::Failed))
    }
}

impl Default for BlockingHasher {
    fn default() -> Self {
        Self::new(Argon2id::default())
    }
}

#[async_trait]
impl PasswordHasher for BlockingHasher {
    fn parameters(&self) -> Argon2id {
        (*self.parameters).clone()
    }

    async fn hash(&self, password: PasswordText, salt: Salt) -> Result<PasswordHash, HasherError> {
        self.run(move |argon2id| argon2id.hash(&password, salt)).await
    }

    async fn verify(&self, password: PasswordText, hash: PasswordHash) -> Result<bool, HasherError> {
        self.run(move |argon2id| argon2id.verify(&password, &hash)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn hasher() -> BlockingHasher {
        BlockingHasher::new(Argon2id::new(8, 1, 1).expect("the smallest parameters"))
    }

    #[tokio::test]
    async fn a_hash_fits_its_password_and_no_other() {
        let hasher = hasher();
        let text = PasswordText::new;
        let hash = hasher.hash(text("correct horse battery"), Salt([7; 16])).await.expect("hashed");
        assert_eq!(hasher.verify(text("correct horse battery"), hash.clone()).await, Ok(true));
        assert_eq!(hasher.verify(text("correct horse batterz"), hash).await, Ok(false));
    }

    #[tokio::test]
    async fn two_run_at_once_and_the_request_after_the_last_place_is_told_to_come_back() {
        let hasher = hasher();
        let (started, starts) = mpsc::channel();
        let (open, gate) = tokio::sync::watch::channel(false);
        let handle = tokio::runtime::Handle::current();
        let work = || {
            let (started, mut gate, handle) = (started.clone(), gate.clone(), handle.clone());
            let hasher = hasher.clone();
            async move {
                let wait = move |_: &Argon2id| {
                    started.send(()).map_err(|_| HasherError::Failed)?;
                    handle.block_on(gate.wait_for(|open| *open)).map_err(|_| HasherError::Failed)?;
                    Ok(())
                };
                hasher.run(wait).await
            }
        };
        let tasks: Vec<_> = (0..RUNNING + WAITING).map(|_| tokio::spawn(work())).collect();
        while hasher.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(work().await, Err(HasherError::Busy));
        let starts = tokio::task::spawn_blocking(move || {
            for _ in 0..RUNNING {
                starts.recv().expect("two start");
            }
            assert!(starts.try_recv().is_err(), "a third one started");
            starts
        });
        let _starts = starts.await.expect("two and no more");
        open.send(true).expect("they wait");
        for task in tasks {
            assert_eq!(task.await.expect("no panic"), Ok(()));
        }
        assert_eq!(work().await, Ok(()));
    }
}
