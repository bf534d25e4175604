//! Files as rows, with their versions, links and tags.

mod children;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::document::file::{
    File, FileFilter, FileLink, FileReader, FileSort, FileStatus, FileStatusFilter, FileStore,
};
use svc_business::party::search_key;
use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FileId, FolderId, TypedId};
use time::Duration;
use uuid::Uuid;

use super::cell::{Cell, Columns, Stored};
use super::folder::{TABLE as FOLDERS, place_of};
use super::record::{Child, Count, FEW, Reference, Row, Tags, columns, with_ids};
use super::search::search_keys;
use crate::migration::apart;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

const ACTIVE: i16 = 0;
const DELETED: i16 = 1;

/// The table of files.
pub(super) const TABLE: &str = "svc_files";

impl Row for File {
    const TABLE: &'static str = TABLE;
    const REFERENCES: &'static [Reference] = &[Reference::once("folder_id", FOLDERS)];
    const CHILDREN: &'static [Child<Self>] = children::ALL;
    const TAGS: Option<Tags> = Some(Tags { table: "svc_file_tags", owner: "file_id" });

    columns! {
        {
            id: "id",
            company: "company_id",
            name: "name",
            folder: "folder_id",
            contains_personal_data: "contains_personal_data",
            retain_until: "retain_until",
            status: "status" | "deleted_at" | "purged",
            extension: "external_id" | "metadata",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children { versions, links, tags }
        derived { "place" = place, "name_key" = name_key, "mime_type" = mime_type, "search_key" = searched }
    }

    fn companies(filter: &FileFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &FileFilter) -> Sql {
        let status = match filter.status {
            FileStatusFilter::Active => ACTIVE,
            FileStatusFilter::Deleted => DELETED,
        };
        let day = |date| Timestamp::start_of(date).unix_micros();
        let sql = sql
            .text(" AND status = ")
            .bind(status)
            .and(" AND place = ", filter.folder.map(place_of))
            .and(" AND mime_type = ", filter.mime_type.as_deref())
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND created_at >= ", filter.from.map(day))
            .and(" AND created_at < ", filter.to.map(|date| day(date.saturating_add(Duration::DAY))));
        let sql = match filter.link {
            Some(FileLink::Contact(contact)) => with_ids(sql, |sql| {
                sql.text("SELECT file_id FROM svc_file_links WHERE contact_id = ").bind(contact.uuid())
            }),
            Some(link) => with_ids(sql, |sql| {
                let linked = sql.text("SELECT file_id FROM svc_file_links WHERE target_id = ");
                linked.bind(link.uuid()).text(" AND type = ").bind(link.kind().name())
            }),
            None => sql,
        };
        let tagged = " AND EXISTS (SELECT 1 FROM svc_file_tags WHERE svc_file_tags.company_id = svc_files.company_id \
                      AND svc_file_tags.file_id = svc_files.id AND svc_file_tags.tag = ";
        match filter.tag.as_deref() {
            Some(tag) => sql.text(tagged).bind(tag).text(")"),
            None => sql,
        }
    }

    fn count(filter: &FileFilter) -> Count<'_, FileFilter> {
        let FileFilter { companies, status, mime_type, tag, updated_since, .. } = filter.clone();
        let plain = FileFilter { companies, status, ..FileFilter::default() };
        let kinds = FileFilter { mime_type, ..plain.clone() };
        let tagged = FileFilter { tag, ..plain.clone() };
        let changed = FileFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain, [&kinds, &tagged, &changed], (filter.tag.as_deref(), updated_since))
    }

    fn is_narrow(filter: &FileFilter, total: u64) -> bool {
        let dates = filter.from.is_some() || filter.to.is_some() || filter.updated_since.is_some();
        let kinds = filter.folder.is_some() || filter.mime_type.is_some();
        filter.link.is_some() || filter.external_id.is_some() || ((dates || kinds) && total <= FEW)
    }

    fn apart(filter: &FileFilter) -> Option<&'static str> {
        (filter.status == FileStatusFilter::Deleted).then_some(apart::FILES)
    }

    fn text(filter: &FileFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: FileSort) -> &'static str {
        match key {
            FileSort::Name => "name_key",
            FileSort::UpdatedAt => "updated_at",
        }
    }
}

fn place(file: &File) -> FolderId {
    file.folder.unwrap_or(FolderId::from_uuid(Uuid::nil()))
}

fn name_key(file: &File) -> String {
    search_key(&file.name)
}

fn mime_type(file: &File) -> String {
    file.versions.last().map(|latest| latest.mime_type.clone()).unwrap_or_default()
}

fn searched(file: &File) -> String {
    search_keys([file.name.as_str()])
}

const fn code(status: FileStatus) -> i16 {
    match status {
        FileStatus::Active => ACTIVE,
        FileStatus::Deleted { .. } => DELETED,
    }
}

const fn is_purged(status: FileStatus) -> bool {
    match status {
        FileStatus::Active => false,
        FileStatus::Deleted { purged, .. } => purged,
    }
}

/// `status`, `deleted_at`, `purged`
impl Columns for FileStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let at = match *self {
            Self::Active => None,
            Self::Deleted { at, .. } => Some(at),
        };
        values.extend([code(*self).put(), at.put(), is_purged(*self).put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, at, purged] = columns else { return Err(StoreError::backend("three columns")) };
        match (Cell::take(row, status)?, Cell::take(row, at)?, Cell::take(row, purged)?) {
            (ACTIVE, None::<Timestamp>, false) => Ok(Self::Active),
            (DELETED, Some(at), purged) => Ok(Self::Deleted { at, purged }),
            _ => Err(broken("files.status")),
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> FileReader for SeaStore<C> {
    async fn named(&self, kept_for: AccountId, digests: &[Digest]) -> Result<Vec<Digest>, StoreError> {
        if digests.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.sql("SELECT DISTINCT digest FROM svc_file_versions WHERE kept_for = ");
        let found = found.bind(kept_for.uuid()).text(" AND NOT purged AND digest");
        let found = found.listed(digests.iter().map(Stored::to_sql));
        self.rows(found).await?.iter().map(|row| Cell::take(row, "digest")).collect()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> FileStore for SeaStore<C> {
    async fn is_signed(&self, file: &File) -> Result<bool, StoreError> {
        let found = self.sql(
            "SELECT 1 FROM svc_envelope_files JOIN svc_envelopes ON svc_envelopes.company_id = \
             svc_envelope_files.company_id AND svc_envelopes.id = svc_envelope_files.envelope_id \
             WHERE svc_envelope_files.company_id = ",
        );
        let found = found.bind(file.company.uuid()).text(" AND svc_envelope_files.file_id = ");
        let found = found.bind(file.id.uuid()).text(" AND svc_envelopes.status IN (1, 2) LIMIT 1");
        Ok(!self.rows(found).await?.is_empty())
    }

    async fn purge(
        &self,
        company: AccountId,
        deleted_before: Timestamp,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let due = self.sql("SELECT id FROM svc_files WHERE company_id = ").bind(company.uuid());
        let due =
            due.text(" AND status = 1 AND NOT purged AND deleted_at < ").bind(deleted_before.unix_micros());
        let due = due.text(" ORDER BY deleted_at LIMIT ").bind(i64::from(limit));
        let rows = self.rows(due).await?;
        let ids = rows.iter().map(|row| Cell::take(row, "id")).collect::<Result<Vec<FileId>, _>>()?;
        if ids.is_empty() {
            return Ok(0);
        }
        for (table, column) in [("svc_file_versions", "file_id"), ("svc_files", "id")] {
            let update = self.sql(&format!("UPDATE {table} SET purged = ")).bind(true);
            let update = update.text(" WHERE company_id = ").bind(company.uuid());
            let update = update.text(&format!(" AND {column}")).one_or_among(ids.iter().map(|id| id.uuid()));
            update.execute(&self.conn).await?;
        }
        Ok(u64::try_from(ids.len()).unwrap_or(u64::MAX))
    }
}
