//! Doing without an audit log.

use async_trait::async_trait;

use super::{AuditLog, Entry};
use crate::error::StoreError;

/// An audit log that forgets every entry.
///
/// No unit falls back to it: a storage that keeps no log returns it from
/// [`UnitOfWork::audit`](crate::unit::UnitOfWork::audit), and that one line is where a reader learns that
/// changes of credentials leave no trace.
#[derive(Clone, Copy, Debug)]
pub struct DiscardedAudit;

#[async_trait]
impl AuditLog for DiscardedAudit {
    async fn append(&self, _entries: &[Entry]) -> Result<(), StoreError> {
        Ok(())
    }
}
