//! The store that a setting names.

use std::sync::Arc;

use svc_files::{Credentials, Files, OpenError, S3Store};
use svc_testkit::content::{read, upload};
use svc_testkit::fakes::{ManualClock, SeededRandom};
use tempfile::TempDir;

use crate::company;

fn open(address: &str) -> Result<Files, OpenError> {
    Files::open(address, Arc::new(ManualClock::default()), Arc::new(SeededRandom::new(1)))
}

#[tokio::test]
async fn a_folder_is_made_when_it_is_opened() {
    let folder = TempDir::new().expect("a folder");
    let files = open(&format!("file://{}/data/files", folder.path().display())).expect("a store");
    let content = upload(&*files, company(), b"kept").await.expect("stored");
    assert_eq!(read(&*files.clone(), company(), content.digest, None).await.expect("read"), b"kept");
    assert!(folder.path().join("data/files/content").is_dir());
}

#[test]
fn what_is_wrong_with_an_address_is_told_with_its_fix() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").expect("written");
    for (address, fix) in [
        ("", "file://FOLDER or s3://BUCKET"),
        ("data/files", "file://FOLDER or s3://BUCKET"),
        ("file://", "file://FOLDER or s3://BUCKET"),
        ("https://s3.example.com/files", "file://FOLDER or s3://BUCKET"),
        (&format!("file://{}", file.display()), "name a folder that this user may make"),
        ("s3://", "name a bucket"),
        ("s3://files?endpoint=http://minio:9000", "allow_http=true"),
    ] {
        let refused = open(address).map(drop).expect_err(address).to_string();
        assert!(refused.contains(fix), "{address}: {refused}");
    }
}

#[test]
fn a_key_is_not_shown() {
    let credentials = Credentials {
        access_key_id: "an id".to_owned(),
        secret_access_key: "a secret".into(),
        session_token: Some("a secret".into()),
    };
    let (clock, random) = (Arc::new(ManualClock::default()), Arc::new(SeededRandom::new(1)));
    let store = S3Store::open("s3://files?region=eu-south-2", Some(credentials.clone()), clock, random);
    let shown = format!("{:?} {credentials:?}", store.expect("a store"));
    assert!(shown.contains("an id") && !shown.contains("a secret"), "{shown}");
}
