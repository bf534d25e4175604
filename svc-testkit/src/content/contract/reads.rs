//! Ranges, and what is not there.

use svc_core::content::{ContentError, Digest};

use super::{Store, bytes, id};
use crate::content::{read, upload};

/// Cut at the end, and empty beyond it.
pub async fn a_range_is_a_slice_of_the_whole(store: Store<'_>) {
    let bytes = bytes(1, 200_000);
    let content = upload(store, id(1), &bytes).await.expect("stored");
    let places = [0, 1, 65_535, 65_536, 199_999, 200_000, 200_001, u64::MAX];
    for (start, end) in places.into_iter().flat_map(|start| places.map(|end| (start, end))) {
        let place = |at: u64| usize::try_from(at).map_or(bytes.len(), |at| at.min(bytes.len()));
        let expected = bytes.get(place(start)..place(end)).unwrap_or_default();
        let range = read(store, id(1), content.digest, Some(start..end)).await.expect("read");
        assert!(range == expected, "{start}..{end} has {} bytes", range.len());
        let opened = store.read(id(1), content.digest, Some(start..end)).await.expect("opened");
        assert_eq!(opened.size(), content.size, "the size is that of the whole");
    }
    let empty = upload(store, id(1), b"").await.expect("stored");
    for range in [0..0, 0..9, 3..9] {
        assert!(read(store, id(1), empty.digest, Some(range)).await.expect("read").is_empty());
    }
}

/// Of a whole and of a range, an empty one too.
pub async fn a_content_that_is_not_there_is_missing(store: Store<'_>) {
    let digest = Digest::of(b"never stored");
    for range in [None, Some(0..1), Some(5..5)] {
        let opened = store.read(id(1), digest, range).await.map(drop);
        assert!(matches!(opened, Err(ContentError::Missing)), "{opened:?}");
    }
    assert_eq!(store.find(id(1), digest).await.expect("read"), None);
    assert_eq!(store.list(id(1), None, 9).await.expect("listed"), []);
}
