//! What is special to a folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::task::{Context, Waker};
use std::time::Duration;

use svc_core::clock::{Clock as _, Timestamp};
use svc_core::content::{ContentStore as _, Digest};
use svc_core::error::chain;
use svc_testkit::content::{read, upload};
use tokio::runtime::Builder;

use crate::{Scene, company, open};

/// Every file and folder below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| if path.is_dir() { [vec![path.clone()], below(&path)].concat() } else { vec![path] })
        .collect()
}

impl Scene {
    /// Where a content is.
    fn place(&self, digest: Digest) -> PathBuf {
        let text = digest.to_string();
        self.folder.path().join("content").join(company().to_string()).join(&text[..2]).join(&text[2..])
    }
}

#[tokio::test]
async fn folders_and_files_are_for_this_user_alone() {
    let scene = Scene::new();
    upload(&*scene, company(), b"private").await.expect("stored");
    let mut going_on = scene.begin(company(), 9).await.expect("begun");
    going_on.write(b"private").await.expect("written");
    let found = below(scene.folder.path());
    assert_eq!(found.iter().filter(|path| path.is_file()).count(), 3, "{found:?}");
    for path in found {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        let mode = path.metadata().expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, expected, "{}", path.display());
    }
}

#[tokio::test]
async fn a_content_that_is_there_is_new_again_and_whole() {
    let scene = Scene::new();
    let digest = upload(&*scene, company(), b"same").await.expect("stored").digest;
    // As a disk may have left it.
    fs::write(scene.place(digest), b"sane").expect("damaged");
    scene.clock.advance(Duration::from_hours(48));
    upload(&*scene, company(), b"same").await.expect("stored");
    assert_eq!(fs::read(scene.place(digest)).expect("there"), b"same");
    let now = scene.clock.now();
    assert_eq!(scene.find(company(), digest).await.expect("read").map(|stored| stored.at), Some(now));
    assert!(!scene.delete_stored_before(company(), digest, now).await.expect("asked"));
    assert_eq!(fs::read_dir(scene.folder.path().join("quarantine")).expect("a folder").count(), 0);
}

#[tokio::test]
async fn an_upload_that_finds_its_bytes_there_does_not_lose_them_to_a_collector() {
    let scene = Scene::new();
    // Another process has the same folder.
    let collector = open(&scene.folder, &scene.clock, 2);
    for _ in 0..100 {
        let digest = upload(&*scene, company(), b"wanted").await.expect("stored").digest;
        scene.clock.advance(Duration::from_hours(48));
        let now = scene.clock.now();
        let deleting = collector.delete_stored_before(company(), digest, now);
        let (uploaded, deleted) = tokio::join!(upload(&*scene, company(), b"wanted"), deleting);
        uploaded.expect("stored");
        deleted.expect("asked");
        assert_eq!(read(&*scene, company(), digest, None).await.expect("read"), b"wanted");
    }
}

#[tokio::test]
async fn a_sweep_removes_what_was_begun_before_its_instant() {
    let scene = Scene::new();
    std::mem::forget(scene.begin(company(), 9).await.expect("begun"));
    let first = scene.clock.now();
    scene.clock.advance(Duration::from_hours(1));
    let second = scene.begin(company(), 9).await.expect("begun");
    fs::write(scene.folder.path().join("quarantine").join("a note of the operator"), "keep")
        .expect("written");
    assert_eq!(scene.sweep(first).await.expect("swept"), 0);
    assert_eq!(scene.sweep(scene.clock.now()).await.expect("swept"), 1);
    second.finish().await.expect("stored");
    assert_eq!(fs::read_dir(scene.folder.path().join("quarantine")).expect("a folder").count(), 1);
}

#[tokio::test]
async fn a_content_that_the_disk_changed_is_told_at_its_end() {
    let scene = Scene::new();
    let digest = upload(&*scene, company(), b"ledger").await.expect("stored").digest;
    fs::write(scene.place(digest), b"lodger").expect("changed");
    let mut download = scene.read(company(), digest, None).await.expect("opened");
    assert_eq!(download.next().await.expect("read"), Some(b"lodger".to_vec()));
    let error = download.next().await.expect_err("it is not what was stored");
    assert!(chain(&error).contains("restore it from a backup"), "{}", chain(&error));
}

#[tokio::test]
async fn a_content_that_the_disk_cut_is_mended_by_the_next_upload() {
    let scene = Scene::new();
    let digest = upload(&*scene, company(), b"ledger").await.expect("stored").digest;
    fs::write(scene.place(digest), b"led").expect("cut");
    read(&*scene, company(), digest, None).await.expect_err("it is not what was stored");
    upload(&*scene, company(), b"ledger").await.expect("stored");
    assert_eq!(read(&*scene, company(), digest, None).await.expect("read"), b"ledger");
}

#[tokio::test]
async fn what_another_program_put_there_is_no_content() {
    let scene = Scene::new();
    let content = upload(&*scene, company(), b"ours").await.expect("stored");
    let shard = scene.place(content.digest).parent().expect("a folder").to_owned();
    fs::write(shard.join("readme.txt"), "hello").expect("written");
    let listed = scene.list(company(), None, 9).await.expect("listed");
    assert_eq!(listed.iter().map(|stored| stored.content).collect::<Vec<_>>(), [content]);
    assert_eq!(scene.delete_all(company()).await.expect("deleted"), 1);
    assert!(!shard.exists());
}

#[test]
fn an_upload_whose_caller_did_not_wait_cannot_be_finished() {
    let runtime = Builder::new_current_thread().max_blocking_threads(1).build().expect("a runtime");
    runtime.block_on(async {
        let scene = Scene::new();
        let mut upload = scene.begin(company(), u64::MAX).await.expect("begun");
        // The only thread for the disk has other work, so the write waits.
        let (go_on, wait) = mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let block = vec![1; 1 << 20];
        {
            let mut writing = upload.write(&block);
            assert!(writing.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        drop(go_on);
        busy.await.expect("ended").expect_err("nothing was sent");
        let error = upload.finish().await.expect_err("a block may be missing");
        assert!(chain(&error).contains("interrupted"), "{}", chain(&error));
        assert_eq!(scene.list(company(), None, 9).await.expect("listed"), []);
    });
}

#[tokio::test]
async fn contents_outlive_the_process() {
    let scene = Scene::new();
    let content = upload(&*scene, company(), b"kept").await.expect("stored");
    scene.clock.set(Timestamp::from_unix_seconds(1_900_000_000));
    let later = open(&scene.folder, &scene.clock, 3);
    assert_eq!(read(&later, company(), content.digest, None).await.expect("read"), b"kept");
}
