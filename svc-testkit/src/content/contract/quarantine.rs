//! What is not finished is not there.

use svc_core::content::{ContentError, Digest, Upload};

use super::{EVER, MEGABYTE, NEVER, Store, bytes, id};
use crate::content::{read, upload};

/// More than a store may keep in memory of an upload.
const LARGE: usize = 6 * MEGABYTE;

/// An upload that all bytes were written to.
async fn written(store: Store<'_>, bytes: &[u8]) -> Box<dyn Upload> {
    let mut upload = store.begin(id(1), u64::MAX).await.expect("begun");
    upload.write(bytes).await.expect("written");
    upload
}

async fn is_empty(store: Store<'_>, digest: Digest) -> bool {
    let opened = store.read(id(1), digest, None).await;
    store.list(id(1), None, 9).await.expect("listed").is_empty()
        && store.find(id(1), digest).await.expect("read").is_none()
        && matches!(opened, Err(ContentError::Missing))
}

/// A digest is not known before the last byte.
pub async fn an_upload_is_not_found_before_it_is_finished(store: Store<'_>) {
    let bytes = bytes(1, LARGE);
    let digest = Digest::of(&bytes);
    let upload = written(store, &bytes).await;
    assert!(is_empty(store, digest).await);
    upload.finish().await.expect("stored");
    assert!(!is_empty(store, digest).await);
}

/// Small ones and large ones.
pub async fn an_upload_that_was_aborted_or_dropped_leaves_nothing(store: Store<'_>) {
    for size in [3, LARGE] {
        let bytes = bytes(2, size);
        written(store, &bytes).await.abort().await.expect("aborted");
        assert_eq!(store.sweep(EVER).await.expect("swept"), 0, "nothing is left of what was aborted");
        drop(written(store, &bytes).await);
        assert!(is_empty(store, Digest::of(&bytes)).await);
    }
}

/// The sweep needs nothing of the process that began it.
pub async fn an_upload_that_never_ended_is_swept(store: Store<'_>) {
    let bytes = bytes(3, LARGE);
    // As a process does that is killed: nothing of it runs any more.
    std::mem::forget(written(store, &bytes).await);
    assert!(is_empty(store, Digest::of(&bytes)).await);
    assert_eq!(store.sweep(EVER).await.expect("swept"), 1);
    assert_eq!(store.sweep(EVER).await.expect("swept"), 0);
    assert!(is_empty(store, Digest::of(&bytes)).await);
}

/// Only what was begun before the instant goes.
pub async fn a_sweep_leaves_later_uploads_and_contents_alone(store: Store<'_>) {
    let kept = upload(store, id(1), b"kept").await.expect("stored");
    let bytes = bytes(4, LARGE);
    let upload = written(store, &bytes).await;
    assert_eq!(store.sweep(NEVER).await.expect("swept"), 0);
    let content = upload.finish().await.expect("stored");
    assert_eq!(store.sweep(EVER).await.expect("swept"), 0);
    assert_eq!(read(store, id(1), kept.digest, None).await.expect("read"), b"kept");
    assert!(read(store, id(1), content.digest, None).await.expect("read") == bytes);
}

/// The caller is told to upload again.
pub async fn an_upload_that_was_swept_cannot_be_finished(store: Store<'_>) {
    let bytes = bytes(5, LARGE);
    let upload = written(store, &bytes).await;
    assert_eq!(store.sweep(EVER).await.expect("swept"), 1);
    let finished = upload.finish().await;
    assert!(matches!(finished, Err(ContentError::Missing)), "{finished:?}");
    assert!(is_empty(store, Digest::of(&bytes)).await);
}
