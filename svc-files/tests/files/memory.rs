//! No store has a whole content in memory.

use std::path::Path;
use std::sync::Arc;

use svc_core::content::ContentStore;
use svc_files::FolderStore;
use svc_testkit::fakes::{ManualClock, SeededRandom};

use crate::child::{FOLDER, Other};
use crate::storage::S3;
use crate::{Scene, company};

const MEGABYTE: u64 = 1 << 20;
const SIZE: u64 = 64 * MEGABYTE;

/// Writes and reads the whole, and says how much more memory the process had at its peak than before.
#[expect(clippy::print_stdout, reason = "the other process waits for it")]
async fn pass_through(store: &dyn ContentStore) {
    let before = peak();
    let mut upload = store.begin(company(), SIZE).await.expect("begun");
    for number in 0..SIZE / (MEGABYTE / 16) {
        upload.write(&vec![number.to_le_bytes()[0]; 1 << 16]).await.expect("written");
    }
    let content = upload.finish().await.expect("stored");
    let mut download = store.read(company(), content.digest, Some(0..SIZE)).await.expect("opened");
    let mut size = 0;
    while let Some(chunk) = download.next().await.expect("read") {
        size += chunk.len() as u64;
    }
    assert_eq!(size, SIZE);
    println!("megabytes: {}", (peak() - before) / MEGABYTE);
}

/// Bytes of memory that this process had at most.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of this process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// Plays the process that is measured.
#[tokio::test]
async fn it_passes_through_a_folder() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let (clock, random) = (Arc::new(ManualClock::default()), Arc::new(SeededRandom::new(2)));
    pass_through(&FolderStore::open(Path::new(&folder), clock, random).expect("a store")).await;
}

/// Plays the process that is measured.
#[tokio::test]
async fn it_passes_through_a_bucket() {
    if std::env::var_os(FOLDER).is_some() {
        pass_through(&*S3::empty()).await;
    }
}

fn measured(test: &str) -> u64 {
    let scene = Scene::new();
    let mut other = Other::run(test, scene.folder.path());
    let megabytes = other.said("megabytes:").parse().expect("a number");
    other.end();
    megabytes
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_takes_a_few_megabytes_for_any_content() {
    let megabytes = measured("memory::it_passes_through_a_folder");
    assert!(megabytes < 12, "{megabytes} MiB for a content of 64 MiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_bucket_takes_a_few_parts_for_any_content() {
    if S3::is_there() {
        let megabytes = measured("memory::it_passes_through_a_bucket");
        assert!(megabytes < 32, "{megabytes} MiB for a content of 64 MiB");
    }
}
