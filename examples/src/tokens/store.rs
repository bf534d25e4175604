//! The storage of tokens: a JSON file that belongs to one process. Readers share what is committed. Units take turns,
//! each on a copy, and a commit writes the copy beside the file, syncs it, and renames it into place.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, TokenReader, TokenStore, Use};
use svc_auth::token::{Fingerprint, StoredToken, Token};
use svc_core::audit::{AuditLog, DiscardedAudit};
use svc_core::error::StoreError;
use svc_core::id::{TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;
use tokio::sync::{Mutex, OwnedMutexGuard, RwLock};

/// Tokens in a file, and the directory of the service; clones share both.
#[derive(Clone)]
pub struct FileStore {
    path: PathBuf,
    committed: Arc<Tokens>,
    directory: Arc<dyn AccountDirectory>,
    turn: Arc<Mutex<()>>,
}

impl FileStore {
    /// Opens a file; one that is not there has no tokens yet.
    ///
    /// # Errors
    /// When it cannot be read, or is not what a store wrote.
    pub fn open(path: &Path, directory: Arc<dyn AccountDirectory>) -> std::io::Result<Self> {
        let stored: Vec<StoredToken> = match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let tokens = stored.into_iter().map(|StoredToken(token)| (token.id, token)).collect();
        let committed = Arc::new(Tokens(RwLock::new(tokens)));
        Ok(Self { path: path.to_owned(), committed, directory, turn: Arc::default() })
    }
}

#[async_trait]
impl AuthStorage for FileStore {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let copy = Tokens(RwLock::new(self.committed.0.read().await.clone()));
        Ok(Box::new(FileUnit { store: self.clone(), copy, turn }))
    }

    fn tokens(&self) -> &dyn TokenReader {
        &*self.committed
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &*self.directory
    }
}

/// Changes that commit together; dropped, they are forgotten.
struct FileUnit {
    store: FileStore,
    copy: Tokens,
    turn: OwnedMutexGuard<()>,
}

#[async_trait]
impl UnitOfWork for FileUnit {
    fn audit(&self) -> &dyn AuditLog {
        &DiscardedAudit
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        // In a task of its own, turn included: a caller that goes away cannot end it half-way.
        let saving = tokio::task::spawn_blocking(move || {
            let tokens = self.copy.0.into_inner();
            let stored: Vec<_> = tokens.values().cloned().map(StoredToken).collect();
            let beside = self.store.path.with_extension("new");
            let mut file = File::create(&beside)?;
            file.write_all(&serde_json::to_vec_pretty(&stored)?)?;
            file.sync_all()?;
            std::fs::rename(&beside, &self.store.path)?;
            *self.store.committed.0.blocking_write() = tokens;
            drop(self.turn);
            std::io::Result::Ok(())
        });
        saving.await.map_err(StoreError::backend)?.map_err(StoreError::backend)
    }
}

impl AuthUnit for FileUnit {
    fn tokens(&self) -> &dyn TokenStore {
        &self.copy
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &*self.store.directory
    }
}

/// Tokens by id: the committed ones, or those of a unit.
struct Tokens(RwLock<BTreeMap<TokenId, Token>>);

#[async_trait]
impl TokenReader for Tokens {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        Ok(self.0.read().await.get(&id).cloned())
    }

    async fn find_by_fingerprint(&self, prints: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        Ok(self.0.read().await.values().find(|token| prints.contains(&token.fingerprint)).cloned())
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        let tokens = self.0.read().await;
        let mut found: Vec<_> = tokens.values().filter(|token| scope.contains(token.primary)).collect();
        found.sort_by_key(|token| (token.created_at, token.id));
        Ok(Page::of_all(found, page).map(Clone::clone))
    }

    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError> {
        let tokens = self.0.read().await;
        let mut found: Vec<_> = tokens.values().filter(|token| token.is_connection_of(person)).collect();
        found.sort_by_key(|token| std::cmp::Reverse((token.created_at, token.id)));
        Ok(found.into_iter().take(at_most).cloned().collect())
    }
}

#[async_trait]
impl TokenStore for Tokens {
    async fn insert(&self, token: &Token) -> Result<(), StoreError> {
        let mut tokens = self.0.write().await;
        if tokens.values().any(|one| one.fingerprint == token.fingerprint && one.id != token.id) {
            return Err(StoreError::Taken { field: "fingerprint" });
        }
        tokens.insert(token.id, token.clone());
        Ok(())
    }

    async fn replace(&self, before: Version, after: &Token) -> Result<(), StoreError> {
        let stored = self.find(after.id).await?.ok_or(StoreError::Conflict)?;
        self.insert(&stored.replaced_by(before, after)?).await
    }

    async fn touch(&self, uses: &[Use]) -> Result<(), StoreError> {
        let mut tokens = self.0.write().await;
        for latest in uses {
            tokens.entry(latest.token).and_modify(|token| token.touch(latest));
        }
        Ok(())
    }
}
