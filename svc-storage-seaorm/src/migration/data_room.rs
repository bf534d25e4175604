//! The tables of what companies show of their files.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::keys;
use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.push(open_company(engine, "svc_data_room_files"));
    statements.extend(counts::statements(engine, COUNTED));
    statements
}

const COUNTED: &[Counted] = &[Counted { table: "svc_data_room_files", kinds: &[] }];

const TABLES: &[&str] = &[
    // `index_key` orders by section and place, and begins with the key of the section.
    "CREATE TABLE svc_data_room_files (
        company_id {company},
        id {uuid} NOT NULL,
        file_id {uuid} NOT NULL,
        file_version {big} NOT NULL,
        section text NOT NULL,
        place {big} NOT NULL CHECK (place >= 1),
        index_key {key} NOT NULL,
        title text NOT NULL,
        downloadable {bool} NOT NULL,
        watermark {bool} NOT NULL,
        expires_at {big},
        added_by {uuid},
        views {big} NOT NULL CHECK (views >= 0),
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        CONSTRAINT svc_data_room_files_file FOREIGN KEY (company_id, file_id) REFERENCES svc_files (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_data_room_views (
        company_id {uuid} NOT NULL,
        entry_id {uuid} NOT NULL,
        number {big} NOT NULL CHECK (number >= 1),
        at {big} NOT NULL,
        channel text NOT NULL,
        token_id {uuid},
        user_id {uuid},
        PRIMARY KEY (company_id, entry_id, number),
        FOREIGN KEY (company_id, entry_id) REFERENCES svc_data_room_files (company_id, id) DEFERRABLE,
        CHECK (token_id IS NULL OR user_id IS NULL)
    ){strict}",
    // The last place of each section: it stays when a company is absorbed.
    "CREATE TABLE svc_data_room_sections (
        account_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        section_key {key} NOT NULL,
        last {big} NOT NULL,
        PRIMARY KEY (account_id, section_key)
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_data_room_files_id ON svc_data_room_files (id)",
    "CREATE UNIQUE INDEX svc_data_room_files_external_id ON svc_data_room_files (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_data_room_files_order ON svc_data_room_files (company_id, created_at, id, index_key)",
    "CREATE INDEX svc_data_room_files_index ON svc_data_room_files (company_id, index_key, id)",
    "CREATE INDEX svc_data_room_files_changes ON svc_data_room_files (company_id, updated_at, id, index_key)",
    "CREATE INDEX svc_data_room_files_file ON svc_data_room_files (company_id, file_id, created_at, id)",
];
