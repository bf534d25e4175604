//! Reading from the bucket.

use async_trait::async_trait;
use futures_util::future;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::GetResult;
use svc_core::content::{ContentError, Download};

pub(super) struct S3Download {
    size: u64,
    chunks: BoxStream<'static, Result<Vec<u8>, ContentError>>,
}

impl S3Download {
    pub(super) fn new(opened: GetResult) -> Self {
        let size = opened.meta.size;
        let chunks = opened.into_stream().map_ok(Vec::from).map_err(ContentError::backend);
        Self { size, chunks: chunks.try_filter(|chunk| future::ready(!chunk.is_empty())).boxed() }
    }

    /// No bytes of a content of this size.
    pub(super) fn empty(size: u64) -> Self {
        Self { size, chunks: stream::empty().boxed() }
    }
}

#[async_trait]
impl Download for S3Download {
    fn size(&self) -> u64 {
        self.size
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, ContentError> {
        self.chunks.try_next().await
    }
}
