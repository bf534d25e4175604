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
    statements.push(open_company(engine, "svc_data_room_grants"));
    statements.extend(counts::statements(engine, COUNTED));
    statements
}

pub(super) const COUNTED: &[Counted] = &[Counted { table: "svc_data_room_files", kinds: &[] }];

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
        watermark {bool} NOT NULL,
        downloadable {bool} NOT NULL,
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
        grant_id {uuid},
        PRIMARY KEY (company_id, entry_id, number),
        FOREIGN KEY (company_id, entry_id) REFERENCES svc_data_room_files (company_id, id) DEFERRABLE,
        CHECK (token_id IS NULL OR user_id IS NULL),
        CHECK (grant_id IS NULL OR (token_id IS NULL AND user_id IS NULL))
    ){strict}",
    // Of the link, only a hash; `sections` has one a line.
    "CREATE TABLE svc_data_room_grants (
        company_id {company},
        id {uuid} NOT NULL,
        email text NOT NULL,
        language text NOT NULL,
        sections text NOT NULL,
        personal_data {bool} NOT NULL,
        expires_at {big} NOT NULL,
        revoked_at {big},
        added_by {uuid},
        link_salt text NOT NULL,
        link_hash {key} NOT NULL,
        codes_sent {small} NOT NULL,
        code_salt text,
        code_hash text,
        code_at {big},
        code_tries {small},
        code_proved_at {big},
        last_visit_at {big},
        views {big} NOT NULL CHECK (views >= 0),
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id)
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
    "CREATE UNIQUE INDEX svc_data_room_grants_id ON svc_data_room_grants (id)",
    "CREATE UNIQUE INDEX svc_data_room_grants_link ON svc_data_room_grants (link_hash)",
    "CREATE INDEX svc_data_room_grants_order ON svc_data_room_grants (company_id, created_at, id)",
    "CREATE INDEX svc_data_room_grants_open ON svc_data_room_grants (company_id, expires_at) WHERE revoked_at IS NULL",
    "CREATE INDEX svc_data_room_files_file ON svc_data_room_files (company_id, file_id, created_at, id)",
];
