//! Calls of assistants in memory.

use async_trait::async_trait;
use svc_auth::calls::CallRecord;
use svc_auth::ports::CallStore;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TokenId;

use super::oauth::MemoryOauth;

#[async_trait]
impl CallStore for MemoryOauth {
    async fn append(&self, calls: &[CallRecord]) -> Result<(), StoreError> {
        self.0.up()?;
        let kept = &mut self.0.state().oauth.calls;
        for call in calls {
            if kept.iter().all(|known| known.id != call.id) {
                kept.push(call.clone());
            }
        }
        Ok(())
    }

    async fn last(&self, credential: TokenId, most: u32) -> Result<Vec<CallRecord>, StoreError> {
        self.oauth(|state| {
            let own = state.calls.iter().filter(|call| call.credential == credential);
            let mut found: Vec<_> = own.cloned().collect();
            found.sort_by_key(|call| std::cmp::Reverse((call.at, call.id)));
            found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
            found
        })
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.0.up()?;
        let kept = &mut self.0.state().oauth.calls;
        let held = kept.len();
        kept.retain(|call| call.at >= before);
        Ok((held - kept.len()) as u64)
    }
}
