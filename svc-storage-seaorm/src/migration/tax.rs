//! The tables of the taxes of companies.

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
    statements.extend(["svc_tax_profiles", "svc_tax_returns"].map(|table| open_company(engine, table)));
    statements.extend(counts::statements(engine, COUNTED));
    statements
}

pub(super) const COUNTED: &[Counted] =
    &[Counted { table: "svc_tax_returns", kinds: &[("status", "{small}"), ("model", "text")] }];

const TABLES: &[&str] = &[
    "CREATE TABLE svc_tax_profiles (
        company_id {company},
        id {uuid} NOT NULL,
        vat_regime text NOT NULL,
        vat_period text NOT NULL,
        sii {bool} NOT NULL,
        redeme {bool} NOT NULL,
        large {bool} NOT NULL,
        extended_simplified {bool} NOT NULL,
        pro_rata {int},
        intra_community text NOT NULL,
        income_tax text NOT NULL,
        corporate_rate text,
        withholds {int} NOT NULL,
        territory text NOT NULL,
        activities text NOT NULL,
        year_end text NOT NULL,
        verifactu text NOT NULL,
        refund_iban text,
        representative_name text,
        representative_tax_id text,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id),
        CHECK ((representative_name IS NULL) = (representative_tax_id IS NULL))
    ){strict}",
    "CREATE TABLE svc_tax_returns (
        company_id {company},
        id {uuid} NOT NULL,
        model text NOT NULL,
        year {int} NOT NULL,
        period text NOT NULL,
        starts_on text NOT NULL,
        ends_on {key} NOT NULL,
        kind text NOT NULL,
        corrects_id {uuid},
        due_on {key} NOT NULL,
        said text NOT NULL,
        computed_at {big},
        books {big},
        boxes text,
        result text,
        amount {big},
        warnings text,
        parties {int},
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 4),
        submitted_at {big},
        submitted_by {uuid},
        channel text,
        receipt text,
        csv text,
        settlement_id {uuid},
        settled_on text,
        outcome_at {big},
        outcome_message text,
        submissions {int} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        outstanding {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        CHECK ((computed_at IS NULL) = (boxes IS NULL)),
        CHECK ((status >= 2) = (submitted_at IS NOT NULL)),
        CHECK ((submitted_at IS NULL) = (channel IS NULL)),
        CHECK ((status >= 3) = (outcome_at IS NOT NULL))
    ){strict}",
    "CREATE TABLE svc_tax_return_payments (
        company_id {uuid} NOT NULL,
        return_id {uuid} NOT NULL,
        position {int} NOT NULL,
        movement_id {uuid} NOT NULL,
        amount {big} NOT NULL,
        paid_on text NOT NULL,
        PRIMARY KEY (company_id, return_id, position),
        FOREIGN KEY (company_id, return_id) REFERENCES svc_tax_returns (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_tax_return_parties (
        company_id {company},
        return_id {uuid} NOT NULL,
        position {int} NOT NULL,
        contact_id {uuid},
        tax_id text,
        name text NOT NULL,
        country text NOT NULL,
        province text,
        key text NOT NULL,
        mark text,
        corrects_year {int},
        corrects_period text,
        amounts text NOT NULL,
        PRIMARY KEY (company_id, return_id, position)
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_tax_profiles_id ON svc_tax_profiles (id)",
    "CREATE UNIQUE INDEX svc_tax_returns_id ON svc_tax_returns (id)",
    "CREATE UNIQUE INDEX svc_tax_returns_period ON svc_tax_returns (company_id, model, year, period) WHERE kind = 'ordinary'",
    "CREATE INDEX svc_tax_returns_order ON svc_tax_returns (company_id, created_at, id, status, model, year, period, due_on)",
    "CREATE INDEX svc_tax_returns_due ON svc_tax_returns (company_id, due_on, id, status, model, year, period)",
    "CREATE INDEX svc_tax_returns_changes ON svc_tax_returns (company_id, updated_at, id, status, model, year, period)",
    // Where the movements of bank accounts lead to.
    "CREATE INDEX svc_tax_returns_outstanding ON svc_tax_returns (company_id, outstanding, due_on, id) WHERE outstanding <> 0",
    "CREATE INDEX svc_tax_returns_ends ON svc_tax_returns (company_id, ends_on, created_at, id, model)",
];

/// Returns that were filed are asked for before a company is absorbed.
pub(crate) fn filed(_: DatabaseBackend) -> Vec<String> {
    let filed = "CREATE INDEX svc_tax_returns_filed ON svc_tax_returns (company_id, submitted_at) \
                 WHERE submitted_at IS NOT NULL";
    vec![filed.to_owned()]
}
