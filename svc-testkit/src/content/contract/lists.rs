//! What a collector does.

use std::time::Duration;

use svc_core::content::{ContentError, Digest};

use super::{EVER, NEVER, Store, id};
use crate::content::upload;

/// A page goes on after any digest.
pub async fn contents_are_listed_by_their_digests_page_by_page(store: Store<'_>) {
    let mut expected = Vec::new();
    for number in 0_u8..7 {
        expected.push(upload(store, id(1), &[number]).await.expect("stored"));
    }
    expected.sort_by_key(|content| content.digest);
    let (mut listed, mut after) = (Vec::new(), None);
    for size in [3, 3, 1, 0] {
        let page = store.list(id(1), after, 3).await.expect("listed");
        assert_eq!(page.len(), size);
        for stored in &page {
            assert_eq!(store.find(id(1), stored.content.digest).await.expect("read"), Some(*stored));
        }
        after = page.last().map(|stored| stored.content.digest).or(after);
        listed.extend(page.into_iter().map(|stored| stored.content));
    }
    assert_eq!(listed, expected);
    // A page may begin after a digest that is not there any more, or never was.
    let (first, rest) = expected.split_first().expect("seven contents");
    store.delete(id(1), first.digest).await.expect("deleted");
    for after in [first.digest, Digest::from_bytes([0; 32])] {
        let page = store.list(id(1), Some(after), 9).await.expect("listed");
        assert_eq!(page.into_iter().map(|stored| stored.content).collect::<Vec<_>>(), rest);
    }
    let last = Digest::from_bytes([255; 32]);
    assert_eq!(store.list(id(1), Some(last), 9).await.expect("listed"), []);
}

/// Deleting again is no error, and uploading again stores it again.
pub async fn a_content_is_deleted_once_for_all(store: Store<'_>) {
    let content = upload(store, id(1), b"gone").await.expect("stored");
    for _ in 0..2 {
        store.delete(id(1), content.digest).await.expect("deleted");
        let opened = store.read(id(1), content.digest, None).await.map(drop);
        assert!(matches!(opened, Err(ContentError::Missing)), "{opened:?}");
    }
    assert_eq!(upload(store, id(1), b"gone").await.expect("stored again"), content);
    assert!(store.find(id(1), content.digest).await.expect("read").is_some());
}

/// Stored at the instant is not before it.
pub async fn a_content_is_deleted_only_if_it_is_as_old_as_told(store: Store<'_>) {
    let digest = upload(store, id(1), b"old").await.expect("stored").digest;
    let at = store.find(id(1), digest).await.expect("read").expect("there").at;
    for early in [NEVER, at] {
        assert!(!store.delete_stored_before(id(1), digest, early).await.expect("asked"), "{early}");
        assert!(store.find(id(1), digest).await.expect("read").is_some());
    }
    let later = at.plus(Duration::from_micros(1));
    assert!(store.delete_stored_before(id(1), digest, later).await.expect("asked"));
    assert!(store.find(id(1), digest).await.expect("read").is_none());
    assert!(!store.delete_stored_before(id(1), digest, EVER).await.expect("asked"), "it is gone");
}
