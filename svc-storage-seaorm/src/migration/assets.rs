//! Tables of the fixed assets of companies, with the instalments that the journal has.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::types::written;
use super::{keys, texts};

/// Creates the tables, in an order that their foreign keys allow.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.push(open_company(engine, "svc_fixed_assets"));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_fixed_assets"]));
    statements
}

pub(super) const COUNTED: &[Counted] =
    &[Counted { table: "svc_fixed_assets", kinds: &[("status", "{small}"), ("asset_class", "text")] }];

const TABLES: &[&str] = &[
    "CREATE TABLE svc_fixed_assets (
        {row}
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        name text NOT NULL,
        name_key {key} NOT NULL,
        code text,
        asset_class text NOT NULL,
        acquired_on {key} NOT NULL,
        currency text NOT NULL,
        cost {big} NOT NULL CHECK (cost > 0),
        residual {big} NOT NULL CHECK (residual >= 0),
        opening_accumulated {big} NOT NULL CHECK (opening_accumulated >= 0),
        in_service text NOT NULL,
        method text NOT NULL,
        year_weights text,
        life_months {int},
        frequency text,
        proration text,
        year_start {small},
        asset_account text NOT NULL,
        accumulated_account text,
        expense_account text,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        disposed_on text,
        proceeds {big},
        disposal_reason text,
        gain_loss {big},
        next_due {key},
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CHECK ((status = 3) = (disposed_on IS NOT NULL))
    ){strict}",
    "CREATE TABLE svc_fixed_asset_instalments (
        company_id {uuid} NOT NULL,
        asset_id {uuid} NOT NULL,
        position {int} NOT NULL,
        period {big} NOT NULL,
        from_date text NOT NULL,
        to_date text NOT NULL,
        amount {big} NOT NULL CHECK (amount > 0),
        entry_id {uuid} NOT NULL,
        PRIMARY KEY (company_id, asset_id, position),
        FOREIGN KEY (company_id, asset_id) REFERENCES svc_fixed_assets (company_id, id) DEFERRABLE
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_fixed_assets_id ON svc_fixed_assets (id)",
    "CREATE UNIQUE INDEX svc_fixed_assets_external_id ON svc_fixed_assets (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE UNIQUE INDEX svc_fixed_assets_code ON svc_fixed_assets (company_id, code) WHERE code IS NOT NULL",
    "CREATE INDEX svc_fixed_assets_order ON svc_fixed_assets (company_id, created_at, id, status, asset_class, acquired_on)",
    "CREATE INDEX svc_fixed_assets_name ON svc_fixed_assets (company_id, name_key, id, status, asset_class, acquired_on)",
    "CREATE INDEX svc_fixed_assets_acquired ON svc_fixed_assets (company_id, acquired_on, id, status, asset_class)",
    "CREATE INDEX svc_fixed_assets_changes ON svc_fixed_assets (company_id, updated_at, id, status, asset_class, acquired_on)",
    "CREATE INDEX svc_fixed_assets_due ON svc_fixed_assets (company_id, next_due, id) WHERE next_due IS NOT NULL",
];
