//! Content in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Bound, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_core::clock::{Clock, Timestamp};
use svc_core::content::{Content, ContentError, ContentStore, Digest, Download, Stored, Tally, Upload};
use svc_core::id::AccountId;

/// A content store that forgets with the process; clones share what is stored.
#[derive(Clone)]
pub struct MemoryContent {
    clock: Arc<dyn Clock>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    contents: BTreeMap<(AccountId, Digest), Kept>,
    /// When uploads that go on were begun, by their number.
    uploads: BTreeMap<u64, Timestamp>,
    begun: u64,
}

struct Kept {
    bytes: Arc<[u8]>,
    at: Timestamp,
}

impl MemoryContent {
    /// An empty store.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, shared: Arc::default() }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryContent").finish_non_exhaustive()
    }
}

#[async_trait]
impl ContentStore for MemoryContent {
    async fn begin(&self, company: AccountId, limit: u64) -> Result<Box<dyn Upload>, ContentError> {
        let mut shared = self.shared();
        shared.begun += 1;
        let number = shared.begun;
        shared.uploads.insert(number, self.clock.now());
        let store = self.clone();
        Ok(Box::new(MemoryUpload { store, company, number, tally: Tally::new(limit), bytes: Vec::new() }))
    }

    async fn read(
        &self,
        company: AccountId,
        digest: Digest,
        range: Option<Range<u64>>,
    ) -> Result<Box<dyn Download>, ContentError> {
        let shared = self.shared();
        let kept = shared.contents.get(&(company, digest)).ok_or(ContentError::Missing)?;
        let size = kept.bytes.len();
        let place = |at: u64| usize::try_from(at).map_or(size, |at| at.min(size));
        let range = range.map_or(0..size, |range| place(range.start)..place(range.end));
        Ok(Box::new(MemoryDownload { bytes: Arc::clone(&kept.bytes), rest: range }))
    }

    async fn find(&self, company: AccountId, digest: Digest) -> Result<Option<Stored>, ContentError> {
        Ok(self.shared().contents.get(&(company, digest)).map(|kept| kept.stored(digest)))
    }

    async fn list(
        &self,
        company: AccountId,
        after: Option<Digest>,
        limit: usize,
    ) -> Result<Vec<Stored>, ContentError> {
        let from = match after {
            Some(after) => Bound::Excluded((company, after)),
            None => Bound::Included((company, Digest::from_bytes([0; 32]))),
        };
        let to = Bound::Included((company, Digest::from_bytes([255; 32])));
        let shared = self.shared();
        let found = shared.contents.range((from, to)).take(limit);
        Ok(found.map(|((_, digest), kept)| kept.stored(*digest)).collect())
    }

    async fn delete(&self, company: AccountId, digest: Digest) -> Result<(), ContentError> {
        self.shared().contents.remove(&(company, digest));
        Ok(())
    }

    async fn delete_stored_before(
        &self,
        company: AccountId,
        digest: Digest,
        instant: Timestamp,
    ) -> Result<bool, ContentError> {
        let mut shared = self.shared();
        let key = (company, digest);
        let is_old = shared.contents.get(&key).is_some_and(|kept| kept.at < instant);
        Ok(is_old && shared.contents.remove(&key).is_some())
    }

    async fn delete_all(&self, company: AccountId) -> Result<u64, ContentError> {
        Ok(self.shared().contents.extract_if(.., |(owner, _), _| *owner == company).count() as u64)
    }

    async fn sweep(&self, begun_before: Timestamp) -> Result<u64, ContentError> {
        Ok(self.shared().uploads.extract_if(.., |_, begun| *begun < begun_before).count() as u64)
    }
}

impl Kept {
    fn stored(&self, digest: Digest) -> Stored {
        Stored { content: Content { digest, size: self.bytes.len() as u64 }, at: self.at }
    }
}

struct MemoryUpload {
    store: MemoryContent,
    company: AccountId,
    number: u64,
    tally: Tally,
    bytes: Vec<u8>,
}

#[async_trait]
impl Upload for MemoryUpload {
    async fn write(&mut self, chunk: &[u8]) -> Result<(), ContentError> {
        self.tally.add(chunk)?;
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<Content, ContentError> {
        let content = self.tally.clone().finish()?;
        let at = self.store.clock.now();
        let mut shared = self.store.shared();
        shared.uploads.remove(&self.number).ok_or(ContentError::Missing)?;
        let key = (self.company, content.digest);
        shared.contents.insert(key, Kept { bytes: std::mem::take(&mut self.bytes).into(), at });
        drop(shared);
        Ok(content)
    }

    async fn abort(self: Box<Self>) -> Result<(), ContentError> {
        Ok(())
    }
}

impl Drop for MemoryUpload {
    fn drop(&mut self) {
        self.store.shared().uploads.remove(&self.number);
    }
}

struct MemoryDownload {
    bytes: Arc<[u8]>,
    rest: Range<usize>,
}

#[async_trait]
impl Download for MemoryDownload {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, ContentError> {
        let end = self.rest.end.min(self.rest.start.saturating_add(CHUNK));
        let chunk = self.bytes.get(self.rest.start..end).unwrap_or_default().to_vec();
        self.rest.start = end.max(self.rest.start);
        Ok(Some(chunk).filter(|chunk| !chunk.is_empty()))
    }
}

/// Bytes of a chunk that is read.
const CHUNK: usize = 64 * 1024;
