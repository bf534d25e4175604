//! The file keeps the contract of every storage of svc-auth, as far as it has its parts: it counts no changes,
//! has no audit log, and its tenants know neither people nor groups.

use std::sync::Arc;

use svc_auth::ports::{AuthStorage, StandAlone};
use svc_examples::tokens::store::FileStore;
use svc_examples::tokens::tenants::Tenants;
use svc_testkit::auth::TokenFixture;
use tempfile::TempDir;

svc_testkit::auth_storage_contract!(file, fixture, with: []);

struct Fixture {
    store: FileStore,
    _folder: TempDir,
}

async fn fixture() -> Option<Fixture> {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = Arc::new(StandAlone(Tenants::default()));
    let store = FileStore::open(&folder.path().join("tokens.json"), directory).expect("no file yet");
    Some(Fixture { store, _folder: folder })
}

impl TokenFixture for Fixture {
    fn storage(&self) -> &dyn AuthStorage {
        &self.store
    }
}
