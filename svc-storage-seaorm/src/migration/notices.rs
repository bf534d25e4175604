//! The table of what public bodies notify companies of.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::types::written;
use super::{keys, texts};

/// Creates the table.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.push(open_company(engine, "svc_notices"));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_notices"]));
    statements
}

pub(super) const COUNTED: &[Counted] = &[Counted {
    table: "svc_notices",
    kinds: &[("status", "{small}"), ("source", "text"), ("kind", "text"), ("handled", "{bool}")],
}];

const TABLES: &[&str] = &["CREATE TABLE svc_notices (
        {row}
        company_id {company},
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        source text NOT NULL,
        kind text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        reference {key} NOT NULL,
        recipient_tax_id text,
        available_at {big} NOT NULL,
        expires_on text,
        expires_key {key} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        ended_at {big},
        ended_by {uuid},
        response_due_on text,
        case_id {uuid},
        assigned_user_id {uuid},
        handled {bool} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CONSTRAINT svc_notices_case FOREIGN KEY (company_id, case_id) REFERENCES svc_cases (company_id, id) DEFERRABLE,
        CHECK ((status IN (1, 2)) = (ended_at IS NOT NULL)),
        CHECK ((ended_at IS NULL) = (ended_by IS NULL))
    ){strict}"];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_notices_id ON svc_notices (id)",
    "CREATE UNIQUE INDEX svc_notices_reference ON svc_notices (company_id, source, reference)",
    "CREATE INDEX svc_notices_order ON svc_notices (company_id, created_at, id, status, source, kind, handled, available_at)",
    "CREATE INDEX svc_notices_available ON svc_notices (company_id, available_at, id, status, source, kind, handled)",
    "CREATE INDEX svc_notices_expires ON svc_notices (company_id, expires_key, id, status, source, kind, handled, available_at)",
    "CREATE INDEX svc_notices_changes ON svc_notices (company_id, updated_at, id, status, source, kind, handled)",
    "CREATE INDEX svc_notices_case ON svc_notices (company_id, case_id, created_at, id) WHERE case_id IS NOT NULL",
    "CREATE INDEX svc_notices_waiting ON svc_notices (company_id, expires_key) WHERE status = 0",
];
