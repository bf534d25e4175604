//! A process that is killed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use svc_core::clock::Timestamp;
use svc_core::content::{ContentStore as _, Digest};
use svc_files::FolderStore;
use svc_testkit::content::{read, upload};
use svc_testkit::fakes::{ManualClock, SeededRandom};

use crate::child::{FOLDER, Other};
use crate::{Scene, company};

const EVER: Timestamp = Timestamp::from_unix_micros(i64::MAX);

fn bytes() -> Vec<u8> {
    vec![7; 700_000]
}

/// Plays the process that is killed.
#[expect(clippy::print_stdout, reason = "the other process waits for it")]
#[tokio::test]
async fn it_writes_and_waits() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = FolderStore::open(
        Path::new(&folder),
        Arc::new(ManualClock::default()),
        Arc::new(SeededRandom::new(2)),
    )
    .expect("a store");
    let mut upload = store.begin(company(), u64::MAX).await.expect("begun");
    upload.write(&bytes()).await.expect("written");
    println!("written");
    // Until it is killed, or the other process is.
    drop(std::io::stdin().lines().next());
}

#[tokio::test]
async fn a_process_that_is_killed_leaves_nothing_that_is_found_and_the_sweep_removes_it() {
    let scene = Scene::new();
    let mut other = Other::run("crash::it_writes_and_waits", scene.folder.path());
    other.said("written");
    other.kill();

    let quarantine = scene.folder.path().join("quarantine");
    let left = || fs::read_dir(&quarantine).expect("a folder").count();
    assert_eq!(left(), 1, "the crash came before the end");
    assert_eq!(scene.list(company(), None, 9).await.expect("listed"), []);
    assert_eq!(scene.find(company(), Digest::of(&bytes())).await.expect("read"), None);

    assert_eq!(scene.sweep(EVER).await.expect("swept"), 1);
    assert_eq!(left(), 0);
    let content = upload(&*scene, company(), &bytes()).await.expect("stored");
    assert!(read(&*scene, company(), content.digest, None).await.expect("read") == bytes());
}
