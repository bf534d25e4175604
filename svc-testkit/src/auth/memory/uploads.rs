//! Links for uploads in memory.

use async_trait::async_trait;
use svc_auth::ports::{UploadLinkReader, UploadLinkStore};
use svc_auth::token::Fingerprint;
use svc_auth::upload::UploadLink;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TokenId;

use super::oauth::MemoryOauth;
use super::state::{OauthStep, Step};
use super::unit::MemoryUnit;

/// What both the storage and its units read.
macro_rules! reads {
    ($($kind:ty),+) => {$(
        #[async_trait]
        impl UploadLinkReader for $kind {
            async fn by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<UploadLink>, StoreError> {
                let is_it = |link: &&UploadLink| link.fingerprint.is_among(candidates);
                self.oauth(|state| state.uploads.iter().find(is_it).cloned())
            }

            async fn open_of(&self, credential: TokenId, now: Timestamp) -> Result<u64, StoreError> {
                let counts = |link: &&UploadLink| link.credential == credential && link.is_live(now);
                self.oauth(|state| state.uploads.iter().filter(counts).count() as u64)
            }
        }
    )+};
}

reads!(MemoryOauth, MemoryUnit);

#[async_trait]
impl UploadLinkStore for MemoryUnit {
    async fn add(&self, link: &UploadLink) -> Result<(), StoreError> {
        self.act(Step::Oauth(OauthStep::Link(link.clone())))
    }

    async fn purge_upload_links(&self, before: Timestamp) -> Result<u64, StoreError> {
        let held = self.oauth(|state| state.uploads.len() as u64)?;
        self.act(Step::Oauth(OauthStep::PurgeLinks(before)))?;
        let left = self.oauth(|state| state.uploads.len() as u64)?;
        Ok(held - left)
    }
}
