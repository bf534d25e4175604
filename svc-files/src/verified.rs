//! Bytes are those of their digest, or the reader is told.

use async_trait::async_trait;
use svc_core::content::{Content, ContentError, Digest, Download, Tally};
use thiserror::Error;

/// A whole content that is hashed as it is read.
pub(crate) struct Verified<D> {
    inner: D,
    expected: Digest,
    tally: Option<Tally>,
}

/// A disk or a bucket changed what was stored.
#[derive(Debug, Error)]
#[error("the content {0} is damaged: restore it from a backup")]
struct Damaged(Digest);

impl<D: Download> Verified<D> {
    pub(crate) fn new(inner: D, expected: Digest) -> Self {
        Self { inner, expected, tally: Some(Tally::new(u64::MAX)) }
    }
}

#[async_trait]
impl<D: Download> Download for Verified<D> {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, ContentError> {
        let chunk = self.inner.next().await?;
        match (&chunk, self.tally.as_mut()) {
            (Some(bytes), Some(tally)) => tally.add(bytes)?,
            (None, Some(_)) => {
                let Content { digest, size } = self.tally.take().expect("just seen").finish()?;
                if digest != self.expected || size != self.inner.size() {
                    return Err(ContentError::backend(Damaged(self.expected)));
                }
            }
            (_, None) => {}
        }
        Ok(chunk)
    }
}

/// A write failed, or its caller did not wait for its end: what was written is not known.
#[derive(Debug, Error)]
#[error("the upload was interrupted: begin another one")]
pub(crate) struct Interrupted;
