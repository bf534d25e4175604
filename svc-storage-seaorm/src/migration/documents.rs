//! The tables of what companies keep of files.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::types::written;
use super::{keys, texts};

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.extend(["svc_folders", "svc_files"].map(|table| open_company(engine, table)));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_files"]));
    statements
}

pub(super) const COUNTED: &[Counted] = &[
    Counted { table: "svc_folders", kinds: &[] },
    Counted { table: "svc_files", kinds: &[("status", "{small}"), ("mime_type", "{key}")] },
    Counted { table: "svc_file_tags", kinds: &[("tag", "{key}"), ("status", "{small}")] },
];

const TABLES: &[&str] = &[
    // `place` is the parent, or nothing but zeros at the top.
    "CREATE TABLE svc_folders (
        {row}
        company_id {company},
        id {uuid} NOT NULL,
        name text NOT NULL,
        parent_id {uuid},
        place {uuid} NOT NULL,
        name_key {key} NOT NULL,
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CONSTRAINT svc_folders_parent FOREIGN KEY (company_id, parent_id) REFERENCES svc_folders (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_files (
        {row}
        company_id {company},
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        name text NOT NULL,
        folder_id {uuid},
        place {uuid} NOT NULL,
        name_key {key} NOT NULL,
        mime_type {key} NOT NULL,
        contains_personal_data {bool} NOT NULL,
        retain_until text,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        deleted_at {big},
        purged {bool} NOT NULL,
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CONSTRAINT svc_files_folder FOREIGN KEY (company_id, folder_id) REFERENCES svc_folders (company_id, id) DEFERRABLE,
        CHECK ((status = 1) = (deleted_at IS NOT NULL)),
        CHECK (status = 1 OR NOT purged)
    ){strict}",
    // `kept_for` is the company under which the content store has the bytes: it stays when the file moves.
    "CREATE TABLE svc_file_versions (
        company_id {uuid} NOT NULL,
        file_id {uuid} NOT NULL,
        position {int} NOT NULL,
        number {big} NOT NULL,
        digest {key} NOT NULL,
        size {big} NOT NULL,
        kept_for {uuid} NOT NULL,
        mime_type text NOT NULL,
        at {big} NOT NULL,
        user_id {uuid},
        purged {bool} NOT NULL,
        PRIMARY KEY (company_id, file_id, position),
        FOREIGN KEY (company_id, file_id) REFERENCES svc_files (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_file_links (
        company_id {uuid} NOT NULL,
        file_id {uuid} NOT NULL,
        position {int} NOT NULL,
        type text NOT NULL,
        target_id {uuid},
        contact_id {uuid},
        PRIMARY KEY (company_id, file_id, position),
        CHECK ((target_id IS NULL) = (contact_id IS NOT NULL)),
        FOREIGN KEY (company_id, file_id) REFERENCES svc_files (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_file_tags (
        company_id {uuid} NOT NULL,
        file_id {uuid} NOT NULL,
        position {int} NOT NULL,
        tag {key} NOT NULL,
        status {small} NOT NULL,
        created_at {big} NOT NULL,
        PRIMARY KEY (company_id, file_id, position),
        FOREIGN KEY (company_id, file_id) REFERENCES svc_files (company_id, id) DEFERRABLE
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_folders_id ON svc_folders (id)",
    "CREATE UNIQUE INDEX svc_folders_name ON svc_folders (company_id, place, name_key)",
    "CREATE UNIQUE INDEX svc_folders_external_id ON svc_folders (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_folders_order ON svc_folders (company_id, created_at, id)",
    "CREATE INDEX svc_folders_names ON svc_folders (company_id, name_key, id)",
    "CREATE INDEX svc_folders_changes ON svc_folders (company_id, updated_at, id)",
    "CREATE INDEX svc_folders_parent ON svc_folders (company_id, parent_id) WHERE parent_id IS NOT NULL",
    "CREATE INDEX svc_folders_place ON svc_folders (company_id, place, created_at, id)",
    "CREATE UNIQUE INDEX svc_files_id ON svc_files (id)",
    "CREATE UNIQUE INDEX svc_files_external_id ON svc_files (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_files_order ON svc_files (company_id, created_at, id, status, mime_type, place)",
    "CREATE INDEX svc_files_names ON svc_files (company_id, name_key, id, status, mime_type, place, created_at)",
    "CREATE INDEX svc_files_changes ON svc_files (company_id, updated_at, id, status, mime_type, place)",
    "CREATE INDEX svc_files_folder ON svc_files (company_id, folder_id) WHERE folder_id IS NOT NULL",
    "CREATE INDEX svc_files_place ON svc_files (company_id, place, status, created_at, id)",
    "CREATE INDEX svc_files_type ON svc_files (company_id, mime_type, status, created_at, id)",
    "CREATE INDEX svc_files_purge ON svc_files (company_id, deleted_at) WHERE status = 1 AND NOT purged",
    "CREATE INDEX svc_file_versions_content ON svc_file_versions (kept_for, digest) WHERE NOT purged",
    "CREATE INDEX svc_file_links_target ON svc_file_links (target_id, type, file_id) WHERE target_id IS NOT NULL",
    "CREATE INDEX svc_file_links_linked ON svc_file_links (contact_id, file_id) WHERE contact_id IS NOT NULL",
    "CREATE INDEX svc_file_links_contact ON svc_file_links (company_id, contact_id) WHERE contact_id IS NOT NULL",
    "CREATE INDEX svc_file_tags_tag ON svc_file_tags (company_id, tag, created_at, file_id, status)",
];
