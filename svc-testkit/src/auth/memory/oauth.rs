//! Clients of OAuth, grants and approvals in memory.

use async_trait::async_trait;
use svc_auth::oauth::{Client, Grant, Pair};
use svc_auth::ports::{
    ApprovalReader, ApprovalStore, AuthStorage as _, CallStore, ClientReader, ClientStore, GrantReader,
    GrantStore, OauthStorage, OauthUnit, TokenReader, UploadLinkReader, UploadLinkStore,
};
use svc_auth::token::{ClientId, Fingerprint};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use super::MemoryAuth;
use super::state::{OauthState, OauthStep, Step};
use super::unit::MemoryUnit;

/// What a [`MemoryAuth`] holds of OAuth; its credentials, companies and memberships are those.
#[derive(Clone, Debug, Default)]
pub struct MemoryOauth(pub(super) MemoryAuth);

impl MemoryOauth {
    /// Beside the credentials of `auth`.
    #[must_use]
    pub fn beside(auth: &MemoryAuth) -> Self {
        Self(auth.clone())
    }
}

#[async_trait]
impl OauthStorage for MemoryOauth {
    async fn begin(&self) -> Result<Box<dyn OauthUnit>, StoreError> {
        self.0.up()?;
        Ok(Box::new(MemoryUnit::new(self.0.clone())))
    }

    fn clients(&self) -> &dyn ClientReader {
        self
    }

    fn grants(&self) -> &dyn GrantReader {
        self
    }

    fn approvals(&self) -> &dyn ApprovalReader {
        self
    }

    fn uploads(&self) -> &dyn UploadLinkReader {
        self
    }

    fn calls(&self) -> &dyn CallStore {
        self
    }

    fn credentials(&self) -> &dyn TokenReader {
        self.0.tokens()
    }
}

impl OauthUnit for MemoryUnit {
    fn clients(&self) -> &dyn ClientStore {
        self
    }

    fn grants(&self) -> &dyn GrantStore {
        self
    }

    fn approvals(&self) -> &dyn ApprovalStore {
        self
    }

    fn uploads(&self) -> &dyn UploadLinkStore {
        self
    }
}

impl MemoryOauth {
    pub(super) fn oauth<T>(&self, read: impl FnOnce(&OauthState) -> T) -> Result<T, StoreError> {
        Ok(read(&self.0.read()?.oauth))
    }
}

impl MemoryUnit {
    #[expect(clippy::unnecessary_wraps, reason = "it reads as the storage does, which may be down")]
    pub(super) fn oauth<T>(&self, read: impl FnOnce(&OauthState) -> T) -> Result<T, StoreError> {
        Ok(self.staged(|state| read(&state.oauth)))
    }
}

/// What both the storage and its units read.
macro_rules! reads {
    ($($kind:ty),+) => {$(
        #[async_trait]
        impl ClientReader for $kind {
            async fn client(&self, id: &ClientId) -> Result<Option<Client>, StoreError> {
                self.oauth(|state| state.client(id))
            }
        }

        #[async_trait]
        impl GrantReader for $kind {
            async fn by_code(&self, candidates: &[Fingerprint]) -> Result<Option<Grant>, StoreError> {
                self.oauth(|state| state.by_code(candidates))
            }

            async fn by_access(&self, candidates: &[Fingerprint]) -> Result<Option<(Grant, Pair)>, StoreError> {
                self.oauth(|state| state.by_access(candidates))
            }

            async fn by_refresh(&self, candidates: &[Fingerprint]) -> Result<Option<(Grant, Pair)>, StoreError> {
                self.oauth(|state| state.by_refresh(candidates))
            }
        }
    )+};
}

reads!(MemoryOauth, MemoryUnit);

#[async_trait]
impl ClientStore for MemoryUnit {
    async fn register(&self, client: &Client) -> Result<Client, StoreError> {
        self.act(Step::Oauth(OauthStep::Register(client.clone())))?;
        let same = |known: &&Client| known.name == client.name && known.redirects == client.redirects;
        let found = self.oauth(|state| state.clients.iter().find(same).cloned())?;
        found.ok_or_else(|| StoreError::backend("a client was registered a moment ago"))
    }

    async fn purge_clients(&self, before: Timestamp) -> Result<u64, StoreError> {
        let connected = self.staged(|state| {
            let connections = state.tokens.values().filter_map(|token| token.connection.as_ref());
            connections.map(|connection| connection.client.to_string()).collect()
        });
        let held = self.oauth(OauthState::client_count)?;
        self.act(Step::Oauth(OauthStep::PurgeClients { before, connected }))?;
        let left = self.oauth(OauthState::client_count)?;
        Ok(held - left)
    }
}

#[async_trait]
impl GrantStore for MemoryUnit {
    async fn add(&self, grant: &Grant) -> Result<(), StoreError> {
        self.act(Step::Oauth(OauthStep::Grant(grant.clone())))
    }

    async fn advance(&self, before: &Grant, after: &Grant) -> Result<(), StoreError> {
        let (before, after) = (Box::new(before.clone()), Box::new(after.clone()));
        self.act(Step::Oauth(OauthStep::Advance { before, after }))
    }

    async fn give(&self, pair: &Pair) -> Result<(), StoreError> {
        self.act(Step::Oauth(OauthStep::Give(pair.clone())))
    }

    async fn use_up(&self, used: &Pair) -> Result<(), StoreError> {
        self.act(Step::Oauth(OauthStep::UseUp(used.clone())))
    }

    async fn purge_grants(&self, before: Timestamp, most: usize) -> Result<Vec<Grant>, StoreError> {
        self.act(Step::Oauth(OauthStep::PurgePairs(before)))?;
        let ended = self.oauth(|state| state.ended_grants(before, most))?;
        self.act(Step::Oauth(OauthStep::PurgeGrants(ended.iter().map(|grant| grant.id).collect())))?;
        Ok(ended)
    }
}
