//! The tables of what companies keep of files.

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
    statements.push(open_company(engine, "svc_folders"));
    statements.extend(counts::statements(engine, COUNTED));
    statements
}

const COUNTED: &[Counted] = &[Counted { table: "svc_folders", kinds: &[] }];

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
];
