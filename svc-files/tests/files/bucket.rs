//! What is special to a bucket.

use std::task::{Context, Waker};

use svc_core::error::chain;

use crate::company;
use crate::storage::S3;

#[tokio::test]
async fn an_upload_whose_caller_did_not_wait_cannot_be_finished() {
    if !S3::is_there() {
        return;
    }
    let store = S3::empty();
    let mut upload = store.begin(company(), u64::MAX).await.expect("begun");
    let block = vec![1; 6 << 20];
    {
        // The server cannot have answered yet.
        let mut writing = upload.write(&block);
        assert!(writing.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let error = upload.finish().await.expect_err("a part may be missing");
    assert!(chain(&error).contains("interrupted"), "{}", chain(&error));
    assert_eq!(store.list(company(), None, 9).await.expect("listed"), []);
}
