//! The storage ports over one file.
//!
//! Readers share the last committed state. Writers take turns: a unit works on
//! a copy, and its commit writes the copy beside the file, syncs it, and
//! renames it into place. So the file is always one state or the next one. The
//! whole of it is written each time, which suits the dozens of tokens that a
//! service has; one with many takes svc-storage-seaorm, or its own database.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, CompanyStanding, TokenReader};
use svc_auth::token::{Fingerprint, Token};
use svc_core::audit::ChainKeys;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use tokio::sync::Mutex;

use super::row::{Broken, File};
use super::state::State;
use super::unit::FileUnit;

/// Tokens, standings and audit records in a file; clones share it.
#[derive(Clone, Debug)]
pub struct FileStore {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    path: PathBuf,
    pub(super) keys: ChainKeys,
    committed: RwLock<Arc<State>>,
    /// Held by the unit whose turn it is.
    pub(super) turn: Arc<Mutex<()>>,
}

impl FileStore {
    /// Opens a file; one that is not there is an empty state. `keys` seal the audit log.
    ///
    /// # Errors
    /// When the file cannot be read or is not what this service wrote.
    pub fn open(path: impl Into<PathBuf>, keys: ChainKeys) -> Result<Self, Broken> {
        let path = path.into();
        let state = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice::<File>(&bytes)?.state()?,
            Err(error) if error.kind() == ErrorKind::NotFound => State::default(),
            Err(error) => return Err(error.into()),
        };
        let committed = RwLock::new(Arc::new(state));
        Ok(Self { shared: Arc::new(Shared { path, keys, committed, turn: Arc::default() }) })
    }

    /// The last committed state.
    #[must_use]
    pub fn state(&self) -> Arc<State> {
        self.shared.state()
    }

    /// Changes what svc-auth only reads, companies and the roles in them, and commits.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn change(&self, change: impl FnOnce(&mut State) + Send) -> Result<(), StoreError> {
        let turn = Arc::clone(&self.shared.turn).lock_owned().await;
        let mut next = State::clone(&self.state());
        change(&mut next);
        next.authority += 1;
        let shared = Arc::clone(&self.shared);
        let writing = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            shared.save(next)
        });
        writing.await.map_err(StoreError::backend)?
    }
}

impl Shared {
    pub(super) fn state(&self) -> Arc<State> {
        // A panic cannot leave it half changed: it is replaced as a whole.
        Arc::clone(&self.committed.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes `next` the committed state, on disk first. The caller has the turn.
    pub(super) fn save(&self, next: State) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(&File::of(&next)).map_err(StoreError::backend)?;
        replace_file(&self.path, &bytes).map_err(StoreError::backend)?;
        *self.committed.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        Ok(())
    }
}

/// Puts `bytes` in the place of a file, so that a crash leaves the old content or the new one.
fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

#[async_trait]
impl AuthStorage for FileStore {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        let turn = Arc::clone(&self.shared.turn).lock_owned().await;
        Ok(Box::new(FileUnit::new(Arc::clone(&self.shared), turn)))
    }

    fn tokens(&self) -> &dyn TokenReader {
        self
    }

    fn directory(&self) -> &dyn AccountDirectory {
        self
    }
}

#[async_trait]
impl TokenReader for FileStore {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        Ok(self.state().tokens.get(&id).cloned())
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        Ok(self.state().find_by_fingerprint(candidates))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        Ok(self.state().page(scope, page))
    }

    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        Ok(Some(self.state().authority))
    }
}

#[async_trait]
impl AccountDirectory for FileStore {
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        Ok(self.state().standings(person, companies, groups))
    }
}
