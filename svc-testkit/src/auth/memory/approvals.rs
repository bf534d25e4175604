//! Approvals in memory.

use async_trait::async_trait;
use svc_auth::approval::{Approval, CallDigest, Stage};
use svc_auth::ports::{ApprovalReader, ApprovalStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{ApprovalId, TokenId, UserId};

use super::oauth::MemoryOauth;
use super::state::{OauthStep, Step};
use super::unit::MemoryUnit;

/// What both the storage and its units read.
macro_rules! reads {
    ($($kind:ty),+) => {$(
        #[async_trait]
        impl ApprovalReader for $kind {
            async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
                self.oauth(|state| state.approvals.iter().find(|approval| approval.id == id).cloned())
            }

            async fn for_call(
                &self,
                credential: TokenId,
                call: CallDigest,
                now: Timestamp,
            ) -> Result<Option<Approval>, StoreError> {
                let is_it = |one: &&Approval| (one.credential, one.call) == (credential, call) && one.is_live(now);
                self.oauth(|state| state.approvals.iter().find(is_it).cloned())
            }

            async fn open_of_credential(&self, credential: TokenId, now: Timestamp) -> Result<u64, StoreError> {
                let counts = |one: &&Approval| one.credential == credential && is_open(one, now);
                self.oauth(|state| state.approvals.iter().filter(counts).count() as u64)
            }

            async fn open_of_person(
                &self,
                person: UserId,
                now: Timestamp,
                most: u32,
            ) -> Result<Vec<Approval>, StoreError> {
                let is_one = |one: &&Approval| one.person == person && is_open(one, now);
                self.oauth(|state| {
                    let mut found: Vec<_> = state.approvals.iter().filter(is_one).cloned().collect();
                    found.sort_by_key(|one| std::cmp::Reverse((one.until, one.id)));
                    found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
                    found
                })
            }
        }
    )+};
}

reads!(MemoryOauth, MemoryUnit);

fn is_open(approval: &Approval, now: Timestamp) -> bool {
    approval.stage == Stage::Asked && approval.is_live(now)
}

#[async_trait]
impl ApprovalStore for MemoryUnit {
    async fn add(&self, approval: &Approval, now: Timestamp) -> Result<(), StoreError> {
        self.act(Step::Oauth(OauthStep::Ask { approval: Box::new(approval.clone()), now }))
    }

    async fn advance(&self, before: &Approval, after: &Approval) -> Result<(), StoreError> {
        let (before, after) = (Box::new(before.clone()), Box::new(after.clone()));
        self.act(Step::Oauth(OauthStep::Decide { before, after }))
    }

    async fn purge_approvals(&self, before: Timestamp) -> Result<u64, StoreError> {
        let held = self.oauth(|state| state.approvals.len() as u64)?;
        self.act(Step::Oauth(OauthStep::PurgeApprovals(before)))?;
        let left = self.oauth(|state| state.approvals.len() as u64)?;
        Ok(held - left)
    }
}
