//! Tables of where companies have their money.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::keys;
use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.push(open_company(engine, "svc_bank_accounts"));
    statements
}

const TABLES: &[&str] = &["CREATE TABLE svc_bank_accounts (
        company_id {company},
        id {uuid} NOT NULL,
        name text NOT NULL,
        name_key {key} NOT NULL,
        type text NOT NULL,
        iban text,
        shares_iban {bool} NOT NULL,
        bic text,
        bank_name text,
        currency text NOT NULL,
        account_code text,
        opening_balance {big},
        opening_date text,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        is_default {bool} NOT NULL,
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        CHECK ((opening_balance IS NULL) = (opening_date IS NULL))
    ){strict}"];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_bank_accounts_id ON svc_bank_accounts (id)",
    "CREATE UNIQUE INDEX svc_bank_accounts_external_id ON svc_bank_accounts (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE UNIQUE INDEX svc_bank_accounts_number ON svc_bank_accounts (company_id, iban) \
     WHERE status = 0 AND NOT shares_iban",
    "CREATE UNIQUE INDEX svc_bank_accounts_code ON svc_bank_accounts (company_id, account_code) \
     WHERE account_code IS NOT NULL",
    "CREATE UNIQUE INDEX svc_bank_accounts_default ON svc_bank_accounts (company_id) WHERE is_default",
    "CREATE INDEX svc_bank_accounts_iban ON svc_bank_accounts (company_id, iban) WHERE iban IS NOT NULL",
    "CREATE INDEX svc_bank_accounts_order ON svc_bank_accounts (company_id, created_at, id, status, type)",
    "CREATE INDEX svc_bank_accounts_name ON svc_bank_accounts (company_id, name_key, id, status, type)",
    "CREATE INDEX svc_bank_accounts_changes ON svc_bank_accounts (company_id, updated_at, id, status, type)",
];
