//! The tables of the taxes of companies.

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
    statements.push(open_company(engine, "svc_tax_profiles"));
    statements
}

const TABLES: &[&str] = &["CREATE TABLE svc_tax_profiles (
        company_id {company},
        id {uuid} NOT NULL,
        vat_regime text NOT NULL,
        vat_period text NOT NULL,
        sii {bool} NOT NULL,
        redeme {bool} NOT NULL,
        large {bool} NOT NULL,
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
    ){strict}"];

const INDEXES: &[&str] = &["CREATE UNIQUE INDEX svc_tax_profiles_id ON svc_tax_profiles (id)"];
