//! Folders as rows, and the depth of what is in them.

use async_trait::async_trait;
use svc_business::document::folder::{Folder, FolderFilter, FolderReader, FolderSort, FolderStore, Within};
use svc_business::party::order_key;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FolderId, TypedId};
use uuid::Uuid;

use super::cell::Cell;
use super::record::{Count, FEW, Reference, Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// The table of folders.
pub(super) const TABLE: &str = "svc_folders";

impl Row for Folder {
    const TABLE: &'static str = TABLE;
    const REFERENCES: &'static [Reference] = &[Reference::once("parent_id", TABLE)];

    columns! {
        {
            id: "id",
            company: "company_id",
            name: "name",
            parent: "parent_id",
            extension: "external_id" | "metadata",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children {  }
        derived { "place" = place, "name_key" = name_key }
    }

    fn companies(filter: &FolderFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &FolderFilter) -> Sql {
        sql.and(" AND place = ", filter.parent.map(place_of))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
    }

    fn count(filter: &FolderFilter) -> Count<'_, FolderFilter> {
        let FolderFilter { companies, updated_since, .. } = filter.clone();
        let plain = FolderFilter { companies, ..FolderFilter::default() };
        let changed = FolderFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain.clone(), [&plain, &plain, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &FolderFilter, total: u64) -> bool {
        let of_place = filter.parent.is_some() && total <= FEW;
        of_place || filter.external_id.is_some() || (filter.updated_since.is_some() && total <= FEW)
    }

    fn sort_column(key: FolderSort) -> &'static str {
        match key {
            FolderSort::Name => "name_key",
            FolderSort::UpdatedAt => "updated_at",
        }
    }
}

/// What is in no folder has a place too, so that its names are unique there.
fn place(folder: &Folder) -> FolderId {
    folder.parent.unwrap_or(FolderId::from_uuid(Uuid::nil()))
}

pub(super) fn place_of(within: Within) -> Uuid {
    match within {
        Within::Top => Uuid::nil(),
        Within::Folder(folder) => folder.uuid(),
    }
}

fn name_key(folder: &Folder) -> String {
    order_key(&folder.name)
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> FolderReader for SeaStore<C> {
    async fn levels_below(&self, folder: &Folder, limit: u32) -> Result<u32, StoreError> {
        let company = folder.company.uuid();
        let found = self
            .sql("WITH RECURSIVE below (id, level) AS (SELECT id, 1 FROM svc_folders WHERE company_id = ")
            .bind(company)
            .text(" AND place = ")
            .bind(folder.id.uuid())
            .text(
                // SQLite keeps this order, and so asks the index of places.
                " UNION ALL SELECT svc_folders.id, below.level + 1 FROM below CROSS JOIN svc_folders \
                 WHERE svc_folders.place = below.id AND svc_folders.company_id = ",
            )
            .bind(company)
            .text(" AND below.level < ")
            .bind(i64::from(limit))
            .text(") SELECT CAST(coalesce(max(level), 0) AS bigint) AS levels FROM below");
        self.rows(found).await?.first().map_or(Ok(0), |row| Cell::take(row, "levels"))
    }
}

impl<C: DeferInsert + Send + Sync> FolderStore for SeaStore<C> {}
