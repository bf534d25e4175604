//! The content of files: bytes of a company, found by their SHA-256.
//!
//! A record of a file names its content by digest and size, and the bytes are in a content store, which knows nothing of
//! records. Bytes are never changed, so two uploads of one company with the same bytes are one content.
//!
//! An upload is in quarantine until it is finished: it has no digest, and is not found. One that its process did not
//! finish stays there until [`ContentStore::sweep`].
//!
//! A content that is finished has no record yet: the caller commits that next. A collector removes what no record names
//! in three steps: it [lists](ContentStore::list) the contents of a company, leaves out those that were stored lately,
//! and those that a record names, and [deletes the others](ContentStore::delete_stored_before), each if it is still as
//! old. Finishing an upload whose bytes are there already makes the content new again. So a caller has, for its commit,
//! as long as the collector leaves out.

mod name;
mod tally;

use std::error::Error as StdError;
use std::ops::Range;

use async_trait::async_trait;
use thiserror::Error;

pub use self::name::safe_name;
pub use self::tally::Tally;
use crate::clock::Timestamp;
pub use crate::digest::Digest;
use crate::id::AccountId;

/// Keeps the content of files.
///
/// # Implementing this port
/// The company is part of the key: what one company stored is never found for another one, and a digest that is known
/// does not tell whether another company has the bytes. Nothing holds a whole content in memory, and no caller waits for
/// another one's upload. What [`Upload::finish`] has told survives a crash of the machine. [`Tally`] counts and hashes
/// what passes.
///
/// The contract suite is `svc_testkit::content_store_contract!`.
#[async_trait]
pub trait ContentStore: Send + Sync {
    /// Begins an upload of at most `limit` bytes.
    ///
    /// # Errors
    /// [`ContentError::Backend`].
    async fn begin(&self, company: AccountId, limit: u64) -> Result<Box<dyn Upload>, ContentError>;

    /// Opens a content, or these bytes of it: counted from 0, the end not included.
    ///
    /// A range is cut at the end of the content, and is empty beyond it.
    ///
    /// # Errors
    /// [`ContentError::Missing`] when the company has no such content.
    async fn read(
        &self,
        company: AccountId,
        digest: Digest,
        range: Option<Range<u64>>,
    ) -> Result<Box<dyn Download>, ContentError>;

    /// Tells of a content of the company.
    ///
    /// # Errors
    /// [`ContentError::Backend`].
    async fn find(&self, company: AccountId, digest: Digest) -> Result<Option<Stored>, ContentError>;

    /// At most `limit` contents of the company with digests above `after`, in the order of their digests.
    ///
    /// # Errors
    /// [`ContentError::Backend`].
    async fn list(
        &self,
        company: AccountId,
        after: Option<Digest>,
        limit: usize,
    ) -> Result<Vec<Stored>, ContentError>;

    /// Deletes a content of the company, if it is there.
    ///
    /// # Errors
    /// [`ContentError::Backend`].
    async fn delete(&self, company: AccountId, digest: Digest) -> Result<(), ContentError>;

    /// Deletes a content of the company that was stored before this instant; tells whether it did.
    ///
    /// # Errors
    /// [`ContentError::Backend`].
    async fn delete_stored_before(
        &self,
        company: AccountId,
        digest: Digest,
        instant: Timestamp,
    ) -> Result<bool, ContentError>;

    /// Deletes every content of the company, for instance with the company; tells how many there were.
    ///
    /// # Errors
    /// [`ContentError::Backend`]; some may be deleted then, and a second call goes on.
    async fn delete_all(&self, company: AccountId) -> Result<u64, ContentError>;

    /// Removes uploads of any company that were begun before this instant and are not finished; tells how many.
    ///
    /// One that still goes on fails by it, so the instant is longer ago than any upload takes.
    ///
    /// # Errors
    /// [`ContentError::Backend`]; some may be removed then, and a second call goes on.
    async fn sweep(&self, begun_before: Timestamp) -> Result<u64, ContentError>;
}

/// An upload that goes on; dropping it aborts it.
///
/// After an error, or after a call that was dropped before it ended, the upload cannot be finished.
#[async_trait]
pub trait Upload: Send {
    /// Adds bytes, of any number.
    ///
    /// # Errors
    /// [`ContentError::TooLarge`] when there are more than the limit by now.
    async fn write(&mut self, chunk: &[u8]) -> Result<(), ContentError>;

    /// Makes the bytes a content of the company, for good.
    ///
    /// # Errors
    /// [`ContentError::Missing`] when the upload was swept, [`ContentError::Backend`] when it was interrupted; nothing is
    /// stored then.
    async fn finish(self: Box<Self>) -> Result<Content, ContentError>;

    /// Removes what was written.
    ///
    /// # Errors
    /// [`ContentError::Backend`]; the bytes stay in quarantine then, until they are swept.
    async fn abort(self: Box<Self>) -> Result<(), ContentError>;
}

/// A content, or a range of it, as it is read.
#[async_trait]
pub trait Download: Send {
    /// Bytes of the whole content, also when a range of it is read.
    fn size(&self) -> u64;

    /// The bytes that come next, some at least; `None` after the last ones.
    ///
    /// # Errors
    /// [`ContentError::Backend`]; also after the last bytes of a whole content that are not those of its digest.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, ContentError>;
}

/// What was uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its SHA-256.
    pub digest: Digest,
    /// Its bytes.
    pub size: u64,
}

/// What a store has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The content.
    pub content: Content,
    /// When an upload of it was finished last, by the clock of the store.
    pub at: Timestamp,
}

/// Why content was not stored or read.
#[derive(Debug, Error)]
pub enum ContentError {
    /// More bytes were written than the upload may have.
    #[error("the content has more than {limit} bytes")]
    TooLarge {
        /// Bytes that it may have.
        limit: u64,
    },
    /// The company has no such content, or the upload was swept.
    #[error("there is no such content")]
    Missing,
    /// Anything that a caller cannot act on.
    #[error("the content store failed")]
    Backend(#[source] Box<dyn StdError + Send + Sync>),
}

impl ContentError {
    /// Wraps a failure that a caller cannot act on.
    pub fn backend(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Backend(source.into())
    }
}

/// Reads a content whole, into memory: one that the caller knows to be of a limited size.
///
/// # Errors
/// As of [`ContentStore::read`], and of reading on.
pub async fn read_whole(
    contents: &dyn ContentStore,
    company: AccountId,
    digest: Digest,
) -> Result<Vec<u8>, ContentError> {
    let mut download = contents.read(company, digest, None).await?;
    let mut bytes = Vec::new();
    while let Some(chunk) = download.next().await? {
        bytes.extend(chunk);
    }
    Ok(bytes)
}
