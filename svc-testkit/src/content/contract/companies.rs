//! Each company has contents of its own.

use svc_core::content::ContentError;

use super::{EVER, Store, id};
use crate::content::{read, upload};

/// Neither found, nor listed, read or deleted by another one that knows the digest.
pub async fn what_a_company_stored_is_its_own(store: Store<'_>) {
    let ours = upload(store, id(1), b"ours").await.expect("stored");
    assert_eq!(store.find(id(2), ours.digest).await.expect("read"), None);
    assert_eq!(store.list(id(2), None, 9).await.expect("listed"), []);
    let opened = store.read(id(2), ours.digest, None).await.map(drop);
    assert!(matches!(opened, Err(ContentError::Missing)), "{opened:?}");
    store.delete(id(2), ours.digest).await.expect("nothing to delete");
    assert!(!store.delete_stored_before(id(2), ours.digest, EVER).await.expect("asked"));
    assert_eq!(read(store, id(1), ours.digest, None).await.expect("read"), b"ours");
    // The same bytes of two companies are two contents.
    upload(store, id(2), b"ours").await.expect("stored");
    store.delete(id(1), ours.digest).await.expect("deleted");
    assert_eq!(read(store, id(2), ours.digest, None).await.expect("read"), b"ours");
}

/// And those of no other company.
pub async fn the_contents_of_a_company_are_deleted_together(store: Store<'_>) {
    for number in 0_u8..5 {
        upload(store, id(1), &[number]).await.expect("stored");
    }
    let other = upload(store, id(2), b"other").await.expect("stored");
    assert_eq!(store.delete_all(id(1)).await.expect("deleted"), 5);
    assert_eq!(store.list(id(1), None, 9).await.expect("listed"), []);
    assert_eq!(store.delete_all(id(1)).await.expect("nothing to delete"), 0);
    assert_eq!(read(store, id(2), other.digest, None).await.expect("read"), b"other");
    upload(store, id(1), b"new").await.expect("stored");
    assert_eq!(store.list(id(1), None, 9).await.expect("listed").len(), 1);
}
