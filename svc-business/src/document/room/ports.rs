//! What the rules of data rooms need from outside.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DataRoomFileId, DataRoomGrantId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::{Erase, ResourceReader, ResourceStore};
use svc_core::tenant::Scope;

use super::{DataRoomFile, DataRoomGrant, DataRoomView, Section, Viewer};
use crate::link::key::LinkHash;

/// Reads data rooms.
#[async_trait]
pub trait DataRoomReader: ResourceReader<DataRoomFile> {
    /// One page of an entry's views that are kept, the latest one first; `None` when the entry is unknown or out of reach.
    async fn views(
        &self,
        scope: &Scope,
        id: DataRoomFileId,
        page: PageRequest,
    ) -> Result<Option<Page<DataRoomView>>, StoreError>;
}

/// Changes data rooms.
///
/// # Implementing this port
/// An entry refers to its file, which is then in use. Its views are not part of the record: they are added one by one, read
/// by page, erased with it, and move with it when its company is absorbed. The contract suite is
/// `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait DataRoomStore: DataRoomReader + ResourceStore<DataRoomFile> + Erase<DataRoomFile> {
    /// The next place in a section of a company, from 1, whatever the case of the section: behind each that was given, and
    /// those of entries that came with another company. Two units of work never get the same one; one that is rolled back
    /// leaves a gap, or gives its place to the next.
    async fn next_place(&self, company: AccountId, section: &Section) -> Result<u32, StoreError>;

    /// Adds a view to an entry and counts it, which its version does not; of the views before,
    /// [`MOST_VIEWS`](super::MOST_VIEWS) less one are kept. Answers how many there were by now; `None` when the entry is there
    /// no more.
    async fn view(
        &self,
        entry: &DataRoomFile,
        at: Timestamp,
        viewer: Viewer,
    ) -> Result<Option<u32>, StoreError>;
}

/// Reads the grants of guests.
#[async_trait]
pub trait DataRoomGrantReader: ResourceReader<DataRoomGrant> {
    /// The grant of a link, whatever its state, with the company that it belongs to.
    async fn of_link(&self, link: &LinkHash) -> Result<Option<(AccountId, DataRoomGrantId)>, StoreError>;

    /// How many grants of a company let a guest in at this instant, counted up to `limit`.
    async fn open(&self, company: AccountId, now: Timestamp, limit: u32) -> Result<u32, StoreError>;
}

/// Changes the grants of guests.
///
/// # Implementing this port
/// Grants are never erased, and go along when their company is absorbed, which revokes those that were not: sections of the
/// other company may have the same names. The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait DataRoomGrantStore: DataRoomGrantReader + ResourceStore<DataRoomGrant> {
    /// Notes that the guest was let in, or was given a file, which is counted; the version stays. Answers whether the grant
    /// is there.
    async fn visited(&self, grant: &DataRoomGrant, at: Timestamp, viewed: bool) -> Result<bool, StoreError>;
}
