//! Tables of where companies have their money.

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
    let records = ["svc_bank_accounts", "svc_bank_movement_imports", "svc_bank_movements"];
    statements.extend(records.map(|table| open_company(engine, table)));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_bank_movements"]));
    statements
}

/// No other index begins with what a movement says, so that places are looked up in theirs, whatever a planner believes of a
/// company.
pub(crate) fn places(engine: DatabaseBackend) -> Vec<String> {
    written(engine, PLACES)
}

/// Movements by their amount without its sign, with a predicate as that of [cases](super::business::opened_cases).
pub(crate) fn sizes(engine: DatabaseBackend) -> Vec<String> {
    written(
        engine,
        &[
            "CREATE INDEX svc_bank_movements_size ON svc_bank_movements (company_id, size_rank, id, status, incoming) \
           WHERE size_rank IS NOT NULL",
        ],
    )
}

const PLACES: &[&str] = &[
    "DROP INDEX svc_bank_movements_place",
    "CREATE UNIQUE INDEX svc_bank_movements_place ON svc_bank_movements \
     (fingerprint, bank_account_id, occurrence)",
];

pub(super) const COUNTED: &[Counted] = &[
    Counted {
        table: "svc_bank_movement_imports",
        kinds: &[("bank_account_id", "{uuid}"), ("status", "{small}"), ("format", "text")],
    },
    Counted {
        table: "svc_bank_movements",
        kinds: &[("bank_account_id", "{uuid}"), ("status", "{small}"), ("incoming", "{bool}")],
    },
];

const TABLES: &[&str] = &[
    "CREATE TABLE svc_bank_accounts (
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
    ){strict}",
    "CREATE TABLE svc_bank_movement_imports (
        company_id {company},
        id {uuid} NOT NULL,
        bank_account_id {uuid} NOT NULL,
        format text NOT NULL,
        file_name text,
        digest {key},
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        first_day text,
        last_day {key},
        opening_balance {big},
        closing_balance {big},
        currency text NOT NULL,
        lines {big} NOT NULL,
        created {big} NOT NULL,
        warnings text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        FOREIGN KEY (company_id, bank_account_id) REFERENCES svc_bank_accounts (company_id, id) DEFERRABLE
    ){strict}",
    // What a job is to import. The file is gone once it is imported.
    "CREATE TABLE svc_bank_movement_files (
        company_id {uuid} NOT NULL,
        import_id {uuid} NOT NULL,
        content {bytes} NOT NULL,
        reading text NOT NULL,
        PRIMARY KEY (import_id),
        FOREIGN KEY (company_id, import_id) REFERENCES svc_bank_movement_imports (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_bank_movements (
        {row}
        company_id {company},
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        bank_account_id {uuid} NOT NULL,
        import_id {uuid} NOT NULL,
        booking_date {key} NOT NULL,
        value_date text NOT NULL,
        amount {big} NOT NULL,
        balance_after {big},
        currency text NOT NULL,
        description text NOT NULL,
        counterparty_name text,
        counterparty_iban text,
        reference_list text NOT NULL,
        bank_code text,
        fingerprint {uuid} NOT NULL,
        occurrence {big} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 2),
        reconciliation text,
        notes text,
        incoming {bool} NOT NULL,
        amount_rank {big} NOT NULL,
        size_rank {big} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        FOREIGN KEY (company_id, bank_account_id) REFERENCES svc_bank_accounts (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, import_id) REFERENCES svc_bank_movement_imports (company_id, id) DEFERRABLE,
        CHECK ((status = 1) = (reconciliation IS NOT NULL))
    ){strict}",
    // Lines of the journal that count a movement already: each of one movement.
    "CREATE TABLE svc_bank_matched_lines (
        company_id {uuid} NOT NULL,
        movement_id {uuid} NOT NULL,
        position {int} NOT NULL,
        line_id {uuid} NOT NULL,
        PRIMARY KEY (company_id, movement_id, position),
        FOREIGN KEY (company_id, movement_id) REFERENCES svc_bank_movements (company_id, id) DEFERRABLE
    ){strict}",
    // On what movements with a text were booked, each of which was booked on one account alone.
    "CREATE TABLE svc_bank_bookings (
        company_id {uuid} NOT NULL,
        movement_id {uuid} NOT NULL,
        position {int} NOT NULL,
        text_key {key} NOT NULL,
        account_code text NOT NULL,
        PRIMARY KEY (company_id, movement_id, position),
        FOREIGN KEY (company_id, movement_id) REFERENCES svc_bank_movements (company_id, id) DEFERRABLE
    ){strict}",
];

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
    "CREATE UNIQUE INDEX svc_bank_movement_imports_id ON svc_bank_movement_imports (id)",
    "CREATE UNIQUE INDEX svc_bank_movement_imports_digest ON svc_bank_movement_imports (company_id, bank_account_id, digest) \
     WHERE digest IS NOT NULL",
    "CREATE INDEX svc_bank_movement_imports_closing ON svc_bank_movement_imports \
     (company_id, bank_account_id, last_day, created_at, id) \
     WHERE closing_balance IS NOT NULL AND last_day IS NOT NULL AND status = 1",
    "CREATE INDEX svc_bank_movement_imports_order ON svc_bank_movement_imports \
     (company_id, created_at, id, bank_account_id, status, format, updated_at)",
    "CREATE INDEX svc_bank_movement_imports_changes ON svc_bank_movement_imports \
     (company_id, updated_at, id, bank_account_id, status, format)",
    "CREATE INDEX svc_bank_movement_imports_account ON svc_bank_movement_imports \
     (company_id, bank_account_id, created_at, id, status, format)",
    "CREATE INDEX svc_bank_movement_files_import ON svc_bank_movement_files (company_id, import_id)",
    "CREATE UNIQUE INDEX svc_bank_movements_id ON svc_bank_movements (id)",
    "CREATE UNIQUE INDEX svc_bank_movements_place ON svc_bank_movements \
     (company_id, bank_account_id, fingerprint, occurrence)",
    // Lists read a page of ids, and count, from these indexes alone.
    "CREATE INDEX svc_bank_movements_order ON svc_bank_movements \
     (company_id, created_at, id, bank_account_id, status, incoming, size_rank, booking_date)",
    "CREATE INDEX svc_bank_movements_booked ON svc_bank_movements \
     (company_id, booking_date, id, bank_account_id, status, incoming, size_rank)",
    "CREATE INDEX svc_bank_movements_account ON svc_bank_movements \
     (company_id, bank_account_id, booking_date, id, status, incoming, size_rank)",
    "CREATE INDEX svc_bank_movements_amount ON svc_bank_movements \
     (company_id, amount_rank, id, bank_account_id, status, incoming, size_rank, booking_date)",
    "CREATE INDEX svc_bank_movements_changes ON svc_bank_movements \
     (company_id, updated_at, id, bank_account_id, status, incoming)",
    "CREATE UNIQUE INDEX svc_bank_matched_lines_id ON svc_bank_matched_lines (company_id, line_id)",
    "CREATE INDEX svc_bank_bookings_text ON svc_bank_bookings (company_id, text_key, movement_id, account_code)",
    "CREATE INDEX svc_bank_movements_import ON svc_bank_movements (company_id, import_id, created_at, id)",
    "CREATE INDEX svc_bank_movements_pending ON svc_bank_movements (company_id, import_id, id) WHERE status = 0",
];
