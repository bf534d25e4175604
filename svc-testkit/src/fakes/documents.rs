//! Documents of clients that a test writes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_auth::ports::{ClientDocuments, Document, Unreadable};
use svc_auth::token::DocumentUrl;

/// Documents at their addresses; all other addresses have none. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct FakeDocuments(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    documents: HashMap<String, Document>,
    reads: usize,
}

impl FakeDocuments {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a document at an address, in the place of the one that is there.
    pub fn put(&self, url: &str, body: impl Into<Vec<u8>>, max_age: Option<Duration>) {
        let document = Document { body: body.into(), max_age };
        self.kept().documents.insert(url.to_owned(), document);
    }

    /// How often a document was asked for.
    #[must_use]
    pub fn reads(&self) -> usize {
        self.kept().reads
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ClientDocuments for FakeDocuments {
    async fn read(&self, url: &DocumentUrl) -> Result<Document, Unreadable> {
        let mut kept = self.kept();
        kept.reads += 1;
        let found = kept.documents.get(url.url().as_str()).cloned();
        found.ok_or_else(|| Unreadable("its server answered 404".to_owned()))
    }
}
