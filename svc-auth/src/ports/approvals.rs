//! What people are asked to approve.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{ApprovalId, TokenId, UserId};

use crate::approval::{Approval, CallDigest};

/// Reads approvals.
///
/// A call of a credential has one at a time: the next one takes its place once it has ended.
#[async_trait]
pub trait ApprovalReader: Send + Sync {
    /// With this id, ended or not.
    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError>;

    /// The one for this call of a credential that has not ended.
    async fn for_call(
        &self,
        credential: TokenId,
        call: CallDigest,
        now: Timestamp,
    ) -> Result<Option<Approval>, StoreError>;

    /// How many of this credential are undecided and have not ended.
    async fn open_of_credential(&self, credential: TokenId, now: Timestamp) -> Result<u64, StoreError>;

    /// Those that wait for this person's decision, the newest first, `most` of them.
    async fn open_of_person(
        &self,
        person: UserId,
        now: Timestamp,
        most: u32,
    ) -> Result<Vec<Approval>, StoreError>;
}

/// Changes approvals.
#[async_trait]
pub trait ApprovalStore: ApprovalReader {
    /// Adds one, in the place of one for the same call that has ended.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when there is one for the same call that has not.
    async fn add(&self, approval: &Approval, now: Timestamp) -> Result<(), StoreError>;

    /// Puts `after` in the place of the approval as it was read, which is at another stage.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored one is at another stage than `before`.
    async fn advance(&self, before: &Approval, after: &Approval) -> Result<(), StoreError>;

    /// Forgets those that ended before this instant; answers how many.
    async fn purge_approvals(&self, before: Timestamp) -> Result<u64, StoreError>;
}
