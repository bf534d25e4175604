//! Content in a folder and in S3, and what files are called and taken for.

mod bucket;
mod child;
mod contract;
mod crash;
mod folder;
mod memory;
mod names;
mod opening;
mod sniffing;
mod splits;
mod storage;

use std::ops::Deref;
use std::sync::Arc;

use svc_core::content::ContentStore;
use svc_core::id::{AccountId, TypedId as _};
use svc_files::FolderStore;
use svc_testkit::fakes::{ManualClock, SeededRandom};
use tempfile::TempDir;

/// A store in a folder of its own, which goes with this.
struct Scene {
    folder: TempDir,
    clock: ManualClock,
    store: FolderStore,
}

impl Scene {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let clock = ManualClock::default();
        let store = open(&folder, &clock, 1);
        Self { folder, clock, store }
    }
}

impl Deref for Scene {
    type Target = dyn ContentStore;

    fn deref(&self) -> &Self::Target {
        &self.store
    }
}

fn open(folder: &TempDir, clock: &ManualClock, seed: u64) -> FolderStore {
    FolderStore::open(folder.path(), Arc::new(clock.clone()), Arc::new(SeededRandom::new(seed)))
        .expect("a store")
}

fn company() -> AccountId {
    AccountId::generate(svc_core::clock::Timestamp::default(), &SeededRandom::new(7))
}
