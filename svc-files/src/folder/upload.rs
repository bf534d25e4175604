//! An upload into the folder.

use std::io::{self, Write as _};

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::content::{Content, ContentError, Tally, Upload};
use svc_core::id::AccountId;

use super::layout::{Layout, Quarantined, make_folder, set_modified, sync_folder};
use super::{FolderStore, missing, on_disk};
use crate::verified::Interrupted;

/// Bytes that are collected before they are written.
const BLOCK: usize = 256 * 1024;

pub(super) struct FolderUpload {
    store: FolderStore,
    company: AccountId,
    tally: Tally,
    /// What was not written yet, less than a block; `None` while a thread writes, and for good when that failed or its
    /// caller did not wait for it.
    pending: Option<Pending>,
}

struct Pending {
    quarantined: Quarantined,
    block: Vec<u8>,
}

impl FolderUpload {
    pub(super) fn new(store: FolderStore, company: AccountId, limit: u64, quarantined: Quarantined) -> Self {
        let pending = Some(Pending { quarantined, block: Vec::new() });
        Self { store, company, tally: Tally::new(limit), pending }
    }

    fn take(&mut self) -> Result<Pending, ContentError> {
        self.pending.take().ok_or_else(|| ContentError::backend(Interrupted))
    }
}

#[async_trait]
impl Upload for FolderUpload {
    async fn write(&mut self, chunk: &[u8]) -> Result<(), ContentError> {
        self.tally.add(chunk)?;
        let mut rest = chunk;
        while !rest.is_empty() {
            let mut pending = self.take()?;
            let room = BLOCK.saturating_sub(pending.block.len()).min(rest.len());
            let (now, later) = rest.split_at(room);
            pending.block.extend_from_slice(now);
            rest = later;
            if pending.block.len() >= BLOCK {
                pending = on_disk(move || pending.write()).await?;
            }
            self.pending = Some(pending);
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<Content, ContentError> {
        let content = self.tally.clone().finish()?;
        let (pending, company) = (self.take()?, self.company);
        let now = self.store.clock.now();
        self.store
            .on_disk(move |layout| {
                let pending = pending.write()?;
                settle(layout, &pending.quarantined, company, content, now)
            })
            .await
            .map_err(missing)?;
        Ok(content)
    }

    async fn abort(mut self: Box<Self>) -> Result<(), ContentError> {
        let pending = self.take()?;
        on_disk(move || {
            drop(pending);
            Ok(())
        })
        .await
    }
}

impl Pending {
    fn write(mut self) -> io::Result<Self> {
        self.quarantined.file.write_all(&self.block)?;
        self.block.clear();
        Ok(self)
    }
}

/// Makes the file a content that survives a crash of the machine.
fn settle(
    layout: &Layout,
    quarantined: &Quarantined,
    company: AccountId,
    content: Content,
    now: Timestamp,
) -> io::Result<()> {
    set_modified(&quarantined.file, now)?;
    quarantined.file.sync_all()?;
    let place = layout.content(company, content.digest);
    let _held = layout.lock_shared()?;
    place.parent().map(make_folder).transpose()?;
    // Also where it is there: bytes that a disk has damaged since are good again.
    quarantined.rename(&place)?;
    // Up to the folder of all contents, also where another upload made them, which may not have synced them yet.
    place.ancestors().skip(1).take(3).try_for_each(sync_folder)
}
