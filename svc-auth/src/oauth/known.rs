//! Looking up who asks.

use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use thiserror::Error;

use crate::oauth::{Client, ClientMetadata, PageError};
use crate::ports::{ClientDocuments, OauthStorage};
use crate::token::{ClientId, DocumentUrl};

/// Documents that are kept.
const CAPACITY: u64 = 1_000;
/// How long a document is kept: as long as its server says, within these.
const KEPT_FOR: (Duration, Duration) = (Duration::from_mins(5), Duration::from_hours(24));
/// How long it is kept that a document cannot be read.
const UNREAD_FOR: Duration = Duration::from_mins(1);

/// The clients that the service knows: those that registered, and those whose document can be read.
pub struct Clients {
    storage: Arc<dyn OauthStorage>,
    documents: Arc<dyn ClientDocuments>,
    kept: moka::future::Cache<DocumentUrl, Arc<Kept>>,
}

/// What became of reading a document.
struct Kept {
    client: Result<Client, PageError>,
    from: Timestamp,
    until: Timestamp,
}

/// Why a client is not known.
#[derive(Debug, Error)]
pub enum UnknownClient {
    /// It never registered, was forgotten, or its document cannot be read or is none.
    #[error(transparent)]
    Unknown(PageError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Clients {
    /// Over these registrations and documents. Documents are kept for 5 minutes to 24 hours, as their servers say, a
    /// thousand at most; that one cannot be read, for a minute.
    #[must_use]
    pub fn new(storage: Arc<dyn OauthStorage>, documents: Arc<dyn ClientDocuments>) -> Self {
        let kept = moka::future::Cache::builder().max_capacity(CAPACITY).time_to_live(KEPT_FOR.1).build();
        Self { storage, documents, kept }
    }

    /// The client with this id. A document that is not kept is read once, however many ask for it.
    ///
    /// # Errors
    /// [`UnknownClient`].
    pub async fn find(&self, id: &ClientId, now: Timestamp) -> Result<Client, UnknownClient> {
        match id {
            ClientId::Registered(_) => {
                let unknown = || PageError::UnknownClient("it never registered, or too long ago".to_owned());
                let found = self.storage.clients().client(id).await?;
                found.ok_or_else(|| UnknownClient::Unknown(unknown()))
            }
            ClientId::Document(url) => {
                let kept = self.document(url, now).await;
                kept.client.clone().map_err(UnknownClient::Unknown)
            }
        }
    }

    async fn document(&self, url: &DocumentUrl, now: Timestamp) -> Arc<Kept> {
        if let Some(kept) = self.kept.get(url).await
            && !(kept.from <= now && now < kept.until)
        {
            self.kept.invalidate(url).await;
        }
        self.kept.get_with_by_ref(url, async { Arc::new(self.read(url, now).await) }).await
    }

    async fn read(&self, url: &DocumentUrl, now: Timestamp) -> Kept {
        let unknown = |why: String| PageError::UnknownClient(format!("{}: {why}", url.url()));
        let (client, life) = match self.documents.read(url).await {
            Err(unreadable) => (Err(unknown(unreadable.0)), UNREAD_FOR),
            Ok(document) => match serde_json::from_slice::<ClientMetadata>(&document.body) {
                Err(_) => (Err(unknown("it is no client metadata document".to_owned())), UNREAD_FOR),
                Ok(metadata) => match metadata.document(url, now) {
                    Err(error) => (Err(unknown(error.description)), UNREAD_FOR),
                    Ok(client) => (Ok(client), life(document.max_age)),
                },
            },
        };
        Kept { client, from: now, until: now.plus(life) }
    }
}

fn life(max_age: Option<Duration>) -> Duration {
    max_age.unwrap_or_default().clamp(KEPT_FOR.0, KEPT_FOR.1)
}

impl std::fmt::Debug for Clients {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clients").finish_non_exhaustive()
    }
}
