//! What is written is what is read.

use svc_core::content::{Content, ContentError, Digest};

use super::{EVER, MEGABYTE, Store, bytes, id};
use crate::content::{read, upload};

/// Of no byte, of one, and of more than a chunk.
pub async fn what_was_uploaded_is_read_as_it_was(store: Store<'_>) {
    for size in [0, 1, 4095, 300_001] {
        let bytes = bytes(1, size);
        let content = upload(store, id(1), &bytes).await.expect("stored");
        assert_eq!(content, Content { digest: Digest::of(&bytes), size: size as u64 });
        let found = store.find(id(1), content.digest).await.expect("read");
        assert_eq!(found.map(|stored| stored.content), Some(content));
        let download = store.read(id(1), content.digest, None).await.expect("opened");
        assert_eq!(download.size(), content.size);
        assert!(read(store, id(1), content.digest, None).await.expect("read") == bytes, "{size}");
    }
}

/// More than is sent in one piece, also in a range over the edge of two pieces.
pub async fn a_content_of_many_megabytes_is_read_as_it_was(store: Store<'_>) {
    let bytes = bytes(2, 11 * MEGABYTE + 5);
    let mut upload = store.begin(id(1), u64::MAX).await.expect("begun");
    for chunk in bytes.chunks(700_001) {
        upload.write(chunk).await.expect("written");
    }
    let content = upload.finish().await.expect("stored");
    assert_eq!(content, Content { digest: Digest::of(&bytes), size: bytes.len() as u64 });
    assert!(read(store, id(1), content.digest, None).await.expect("read") == bytes);
    let middle = 5 * MEGABYTE - 3..6 * MEGABYTE + 3;
    let range = middle.start as u64..middle.end as u64;
    assert!(
        read(store, id(1), content.digest, Some(range)).await.expect("read")
            == bytes.get(middle).expect("a part")
    );
    assert_eq!(store.sweep(EVER).await.expect("swept"), 0, "a finished upload is not in quarantine");
}

/// One byte more is refused, at once and when the upload is finished.
pub async fn the_limit_of_an_upload_is_its_last_byte(store: Store<'_>) {
    let mut whole = store.begin(id(1), 6).await.expect("begun");
    for chunk in [b"abc", b"def"] {
        whole.write(chunk).await.expect("written");
    }
    let whole = whole.finish().await.expect("stored");
    for chunks in [vec![&b"abcdefg"[..]], vec![b"abcdef", b"", b"g"]] {
        let mut upload = store.begin(id(1), 6).await.expect("begun");
        let mut ended = Ok(());
        for chunk in chunks {
            ended = upload.write(chunk).await;
        }
        assert!(matches!(ended, Err(ContentError::TooLarge { limit: 6 })), "{ended:?}");
        let finished = upload.finish().await;
        assert!(matches!(finished, Err(ContentError::TooLarge { limit: 6 })), "{finished:?}");
    }
    let stored = store.list(id(1), None, 9).await.expect("listed");
    assert_eq!(stored.iter().map(|stored| stored.content).collect::<Vec<_>>(), [whole]);
}

/// The second upload finds what the first one stored.
pub async fn the_same_bytes_are_one_content(store: Store<'_>) {
    for size in [10, 6 * MEGABYTE] {
        let bytes = bytes(3, size);
        let first = upload(store, id(1), &bytes).await.expect("stored");
        assert_eq!(upload(store, id(1), &bytes).await.expect("stored again"), first);
        assert!(read(store, id(1), first.digest, None).await.expect("read") == bytes);
    }
    assert_eq!(store.list(id(1), None, 9).await.expect("listed").len(), 2);
    assert_eq!(store.sweep(EVER).await.expect("swept"), 0, "what was there already leaves nothing behind");
}

/// Each upload has a place of its own in quarantine.
pub async fn the_same_bytes_at_once_are_one_content(store: Store<'_>) {
    let bytes = bytes(4, 100_000);
    let uploads = (0..8).map(|_| upload(store, id(1), &bytes));
    for content in futures_util::future::join_all(uploads).await {
        assert_eq!(content.expect("stored").digest, Digest::of(&bytes));
    }
    assert_eq!(store.list(id(1), None, 9).await.expect("listed").len(), 1);
    assert!(read(store, id(1), Digest::of(&bytes), None).await.expect("read") == bytes);
}
