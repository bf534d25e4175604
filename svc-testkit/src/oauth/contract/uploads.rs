//! Links for uploads.

use svc_auth::upload::UploadLink;
use svc_core::error::StoreError;

use super::{Storage, at, id, print};

/// One of a credential, with this fingerprint, until second 900.
fn link(number: u8, credential: u128) -> UploadLink {
    UploadLink {
        fingerprint: print(number),
        credential: id(credential),
        properties: r#"{"name":"Factura \"1\".pdf","links":[]}"#.to_owned(),
        until: at(900),
    }
}

async fn add(storage: Storage<'_>, link: &UploadLink) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.uploads().add(link).await?;
    unit.commit().await
}

async fn found(storage: Storage<'_>, number: u8) -> Option<UploadLink> {
    storage.uploads().by_fingerprint(&[print(99), print(number)]).await.expect("read")
}

/// By its fingerprint, as it was made.
pub async fn a_link_is_found_by_its_fingerprint_alone(storage: Storage<'_>) {
    let (one, other) = (link(1, 100), link(2, 100));
    add(storage, &one).await.expect("added");
    add(storage, &other).await.expect("added");
    assert_eq!(found(storage, 1).await, Some(one.clone()));
    assert_eq!(found(storage, 3).await, None);
    assert_eq!(storage.uploads().by_fingerprint(&[]).await.expect("read"), None);
    assert!(matches!(add(storage, &one).await, Err(StoreError::Taken { .. })));
}

/// Those that have ended count no longer, and are forgotten.
pub async fn links_are_counted_for_their_credential_until_they_end(storage: Storage<'_>) {
    add(storage, &link(1, 100)).await.expect("added");
    add(storage, &UploadLink { until: at(1_000), ..link(2, 100) }).await.expect("added");
    add(storage, &link(3, 101)).await.expect("added");
    for (now, count) in [(10, 2), (899, 2), (900, 1), (1_000, 0)] {
        assert_eq!(storage.uploads().open_of(id(100), at(now)).await.expect("read"), count, "{now}");
    }
    let unit = storage.begin().await.expect("a unit");
    assert_eq!(unit.uploads().purge_upload_links(at(901)).await.expect("purged"), 2);
    unit.commit().await.expect("committed");
    assert_eq!((found(storage, 1).await, found(storage, 3).await), (None, None));
    assert!(found(storage, 2).await.is_some());
}
