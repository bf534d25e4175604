//! Failed attempts to sign in, in memory.

use async_trait::async_trait;
use svc_auth::ports::{Failures, SignInAttempts, ThrottleKey};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use super::{MemorySessions, lock};

#[async_trait]
impl SignInAttempts for MemorySessions {
    async fn failures(&self, keys: &[ThrottleKey]) -> Result<Vec<Failures>, StoreError> {
        self.up()?;
        let attempts = lock(&self.shared.attempts);
        Ok(keys.iter().map(|key| attempts.get(key).copied().unwrap_or_default()).collect())
    }

    async fn charge(
        &self,
        keys: &[ThrottleKey],
        forget_before: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Failures>, StoreError> {
        self.up()?;
        let mut attempts = lock(&self.shared.attempts);
        let mut charge = |key: &ThrottleKey| {
            let failures = attempts.entry(*key).or_default();
            let before = *failures;
            let counted = if before.last_at < forget_before { 0 } else { before.count };
            *failures = Failures { count: counted.saturating_add(1), last_at: now };
            before
        };
        Ok(keys.iter().map(&mut charge).collect())
    }

    async fn give_back(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        self.up()?;
        let mut attempts = lock(&self.shared.attempts);
        for key in keys {
            if let Some(failures) = attempts.get_mut(key) {
                failures.count = failures.count.saturating_sub(1);
            }
        }
        Ok(())
    }

    async fn clear(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        self.up()?;
        lock(&self.shared.attempts).retain(|key, _| !keys.contains(key));
        Ok(())
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.up()?;
        let mut attempts = lock(&self.shared.attempts);
        let count = attempts.len();
        attempts.retain(|_, failures| failures.last_at >= before);
        Ok((count - attempts.len()) as u64)
    }
}
