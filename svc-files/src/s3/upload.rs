//! An upload into the bucket.

use async_trait::async_trait;
use object_store::ObjectStoreExt as _;
use object_store::multipart::{MultipartStore as _, PartId};
use svc_core::content::{Content, ContentError, Tally, Upload};
use svc_core::error::chain;
use svc_core::id::AccountId;

use super::{MOST, S3Store, failed};
use crate::verified::Interrupted;

/// Bytes of each part but the last: the fewest that S3 takes. Of 10,000 parts, its most, this makes 48 GiB.
const PART: usize = 5 * 1024 * 1024;

pub(super) struct S3Upload {
    store: S3Store,
    company: AccountId,
    /// Its name in quarantine.
    name: String,
    tally: Tally,
    /// What was not sent yet, a part at most.
    block: Vec<u8>,
    /// The id of the parts, once there are some.
    id: Option<String>,
    parts: Vec<PartId>,
    /// A request goes on; or it failed, or its caller did not wait for it, so that a part may be missing.
    interrupted: bool,
}

impl S3Upload {
    pub(super) fn new(store: S3Store, company: AccountId, limit: u64, name: String) -> Self {
        let tally = Tally::new(limit.min(MOST));
        Self { store, company, name, tally, block: vec![], id: None, parts: vec![], interrupted: false }
    }

    /// Sends what is in memory as the next part.
    async fn send_part(&mut self) -> Result<(), ContentError> {
        if std::mem::replace(&mut self.interrupted, true) {
            return Err(ContentError::backend(Interrupted));
        }
        let id = match &self.id {
            Some(id) => id.clone(),
            None => self.create().await?,
        };
        let part = std::mem::replace(&mut self.block, Vec::with_capacity(PART));
        let key = self.store.keys.upload(&self.name);
        let sent = self.store.bucket.put_part(&key, &id, self.parts.len(), part.into()).await;
        match sent {
            Ok(part) => self.parts.push(part),
            Err(error) => return Err(self.explained(error).await),
        }
        self.interrupted = false;
        Ok(())
    }

    /// Asks for the id of the parts, and writes it where the sweep finds it.
    async fn create(&mut self) -> Result<String, ContentError> {
        let (bucket, keys) = (&self.store.bucket, &self.store.keys);
        let id = bucket.create_multipart(&keys.upload(&self.name)).await.map_err(failed)?;
        bucket.put(&keys.id_of_upload(&self.name), id.clone().into()).await.map_err(failed)?;
        Ok(self.id.insert(id).clone())
    }

    /// What a failure means: where the id is not in quarantine any more, the upload was swept, whatever the server says of
    /// parts that it does not know.
    async fn explained(&self, error: object_store::Error) -> ContentError {
        let is_swept = matches!(self.store.head(&self.store.keys.id_of_upload(&self.name)).await, Ok(None));
        if is_swept { ContentError::Missing } else { failed(error) }
    }

    /// Makes an object of the parts, and copies it to its digest.
    async fn join_parts(&mut self, content: Content) -> Result<(), ContentError> {
        self.send_part().await?;
        let Some(id) = &self.id else { return Err(ContentError::backend(Interrupted)) };
        let parts = std::mem::take(&mut self.parts);
        let (store, key) = (&self.store, self.store.keys.upload(&self.name));
        let place = store.keys.content(self.company, content.digest);
        let joined = match store.bucket.complete_multipart(&key, id, parts).await {
            Ok(_) => store.bucket.copy(&key, &place).await,
            Err(error) => Err(error),
        };
        if let Err(error) = joined {
            return Err(self.explained(error).await);
        }
        self.id = None;
        let store = &self.store;
        // It is stored: what cannot be removed is swept.
        let removed = match store.remove(&key).await {
            Ok(()) => store.remove(&store.keys.id_of_upload(&self.name)).await,
            failed => failed,
        };
        if let Err(error) = removed {
            tracing::warn!(error = chain(&error), "an upload stays in quarantine until it is swept");
        }
        Ok(())
    }
}

#[async_trait]
impl Upload for S3Upload {
    async fn write(&mut self, chunk: &[u8]) -> Result<(), ContentError> {
        self.tally.add(chunk)?;
        let mut rest = chunk;
        while !rest.is_empty() {
            if self.block.len() >= PART {
                self.send_part().await?;
            }
            let room = PART.saturating_sub(self.block.len()).min(rest.len());
            let (now, later) = rest.split_at(room);
            self.block.extend_from_slice(now);
            rest = later;
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<Content, ContentError> {
        let content = self.tally.clone().finish()?;
        if self.id.is_some() || self.interrupted {
            self.join_parts(content).await?;
        } else {
            let place = self.store.keys.content(self.company, content.digest);
            let whole = std::mem::take(&mut self.block);
            self.store.bucket.put(&place, whole.into()).await.map_err(failed)?;
        }
        Ok(content)
    }

    async fn abort(mut self: Box<Self>) -> Result<(), ContentError> {
        match self.id.take() {
            Some(id) => self.store.discard(&self.name, &id).await,
            None => Ok(()),
        }
    }
}

/// Aborts in the background; where no runtime is left, or the process ends before, the sweep does it.
impl Drop for S3Upload {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else { return };
        let (store, name) = (self.store.clone(), std::mem::take(&mut self.name));
        runtime.spawn(async move {
            if let Err(error) = store.discard(&name, &id).await {
                tracing::warn!(error = chain(&error), "an upload stays in quarantine until it is swept");
            }
        });
    }
}
