//! Tables of the accounting of companies: books, accounts of ledgers, fiscal years, entries with their lines and tags,
//! and the sums that reports are made of.
//!
//! Lines know what a list needs of their entry, so that it reads one table. What a month of an account adds up to is
//! kept by the database in the commit of each posting: entries of a company are posted one after the other, so units do
//! not wait for each other at these rows longer than they do anyway.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::types::written;
use super::{keys, open_balances, texts};

/// Creates the tables, in an order that their foreign keys allow.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.extend(
        ["svc_ledger_accounts", "svc_fiscal_years", "svc_journal_entries"]
            .map(|table| open_company(engine, table)),
    );
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_ledger_accounts", "svc_journal_entries"]));
    statements.extend(if is_postgres { sums_on_postgres() } else { sums_on_sqlite() });
    statements.extend(open_balances::statements(engine));
    statements
}

pub(super) const COUNTED: &[Counted] = &[
    Counted {
        table: "svc_ledger_accounts",
        kinds: &[("status", "{small}"), ("type", "text"), ("postable", "{bool}")],
    },
    Counted { table: "svc_journal_entries", kinds: &[("status", "{small}"), ("kind", "text")] },
    Counted {
        table: "svc_journal_lines",
        kinds: &[("account_code", "{key}"), ("entry_status", "{small}"), ("kind", "text")],
    },
];

const TABLES: &[&str] = &[
    "CREATE TABLE svc_books (
        id {uuid} NOT NULL,
        chart text NOT NULL,
        code_length {small} NOT NULL,
        subledger text NOT NULL,
        year_start text NOT NULL,
        default_accounts text NOT NULL,
        lock_date text,
        tax_lock_date text,
        hard_lock_date text,
        automation text NOT NULL,
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT svc_books_company FOREIGN KEY (id) REFERENCES svc_accounts (id)
    ){strict}",
    "CREATE TABLE svc_ledger_accounts (
        {row}
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        code {key} NOT NULL,
        name text NOT NULL,
        type text NOT NULL,
        postable {bool} NOT NULL,
        reconcilable {bool} NOT NULL,
        tax_role text,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id)
    ){strict}",
    "CREATE TABLE svc_fiscal_years (
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        name text NOT NULL,
        start_date {key} NOT NULL,
        end_date {key} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        closed_at {big},
        closed_by {uuid},
        regularisation_id {uuid},
        closing_id {uuid},
        opening_id {uuid},
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        CHECK ((status = 1) = (closed_at IS NOT NULL))
    ){strict}",
    // The last posted entry of each year.
    "CREATE TABLE svc_journal_heads (
        company_id {uuid} NOT NULL,
        year_id {uuid} NOT NULL,
        number {big} NOT NULL,
        hash text NOT NULL,
        PRIMARY KEY (company_id, year_id),
        FOREIGN KEY (company_id, year_id) REFERENCES svc_fiscal_years (company_id, id)
    ){hot}",
    "CREATE TABLE svc_journal_entries (
        {row}
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        kind text NOT NULL,
        date {key} NOT NULL,
        description text NOT NULL,
        reference text,
        base_currency text NOT NULL,
        currency text NOT NULL,
        fx_rate text NOT NULL,
        source_type text,
        source_id text,
        source_role text,
        reverses_id {uuid},
        closes_year {bool} NOT NULL,
        opens_year {bool} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 2),
        year_id {uuid},
        number {big},
        previous_hash text,
        hash text,
        posted_at {big},
        posted_by {uuid},
        reversed_by {uuid},
        external_id text,
        metadata text NOT NULL,
        order_key {key} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        FOREIGN KEY (company_id, year_id) REFERENCES svc_fiscal_years (company_id, id),
        CHECK ((status = 0) = (number IS NULL)),
        CHECK ((status = 0) = (hash IS NULL)),
        CHECK ((status = 2) = (reversed_by IS NOT NULL))
    ){strict}",
    // `aged_side` says on which side a line is open: customers (0), suppliers and creditors (1), or none. What ends a year
    // and begins the next one opens nothing anew.
    "CREATE TABLE svc_journal_lines (
        company_id {uuid} NOT NULL,
        entry_id {uuid} NOT NULL,
        position {big} NOT NULL,
        id {uuid} NOT NULL,
        account_code {key} NOT NULL,
        debit {big} NOT NULL CHECK (debit >= 0),
        credit {big} NOT NULL CHECK (credit >= 0),
        amount_currency {big},
        contact_id {uuid},
        posted_contact_id {uuid},
        description text,
        due_date {key},
        dimensions text NOT NULL,
        entry_status {small} NOT NULL,
        kind text NOT NULL,
        date {key} NOT NULL,
        number {big},
        closes_year {bool} NOT NULL,
        opens_year {bool} NOT NULL,
        base_currency text NOT NULL,
        currency text NOT NULL,
        order_key {key} NOT NULL,
        aged_side {small} GENERATED ALWAYS AS (CASE WHEN closes_year OR opens_year THEN NULL WHEN substr(account_code, 1, 2) = '43' THEN 0 WHEN substr(account_code, 1, 2) IN ('40', '41') THEN 1 END) STORED,
        PRIMARY KEY (company_id, entry_id, position),
        FOREIGN KEY (company_id, entry_id) REFERENCES svc_journal_entries (company_id, id) DEFERRABLE,
        CONSTRAINT svc_journal_lines_account FOREIGN KEY (company_id, account_code) REFERENCES svc_ledger_accounts (company_id, code),
        CONSTRAINT svc_journal_lines_contact FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CHECK ((debit > 0) <> (credit > 0))
    ){strict}",
    "CREATE TABLE svc_tax_tags (
        company_id {uuid} NOT NULL,
        entry_id {uuid} NOT NULL,
        position {int} NOT NULL,
        kind text NOT NULL,
        tax_code text NOT NULL,
        currency text NOT NULL,
        base {big} NOT NULL,
        quota {big} NOT NULL,
        deductible_quota {big},
        tax_date {key} NOT NULL,
        exemption text,
        supply text,
        rectifies {key},
        contact_id {uuid},
        posted_contact_id {uuid},
        entry_status {small} NOT NULL,
        PRIMARY KEY (company_id, entry_id, position),
        FOREIGN KEY (company_id, entry_id) REFERENCES svc_journal_entries (company_id, id) DEFERRABLE,
        CONSTRAINT svc_tax_tags_contact FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE
    ){strict}",
    // What the posted lines of an account add up to in a month (YYYYMM), closings of years left out.
    "CREATE TABLE svc_balances (
        company_id {uuid} NOT NULL,
        account_code {key} NOT NULL,
        month {int} NOT NULL,
        debit {big} NOT NULL,
        credit {big} NOT NULL,
        PRIMARY KEY (company_id, account_code, month)
    ){hot}",
];

const INDEXES: &[&str] = &[
    "CREATE INDEX svc_books_order ON svc_books (created_at, id)",
    "CREATE UNIQUE INDEX svc_ledger_accounts_id ON svc_ledger_accounts (id)",
    "CREATE UNIQUE INDEX svc_ledger_accounts_external_id ON svc_ledger_accounts (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_ledger_accounts_order ON svc_ledger_accounts (company_id, created_at, id, status, type, postable)",
    "CREATE INDEX svc_ledger_accounts_list ON svc_ledger_accounts (company_id, code, id, status, type, postable)",
    "CREATE INDEX svc_ledger_accounts_changes ON svc_ledger_accounts (company_id, updated_at, id, status)",
    "CREATE UNIQUE INDEX svc_ledger_accounts_code ON svc_ledger_accounts (company_id, code)",
    "CREATE UNIQUE INDEX svc_fiscal_years_id ON svc_fiscal_years (id)",
    "CREATE UNIQUE INDEX svc_fiscal_years_external_id ON svc_fiscal_years (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_fiscal_years_order ON svc_fiscal_years (company_id, created_at, id, status)",
    // No two years of a company share a day: each begins on the day after another one, or ends on the day before.
    "CREATE UNIQUE INDEX svc_fiscal_years_first_day ON svc_fiscal_years (company_id, start_date)",
    "CREATE UNIQUE INDEX svc_fiscal_years_last_day ON svc_fiscal_years (company_id, end_date)",
    "CREATE INDEX svc_fiscal_years_start ON svc_fiscal_years (company_id, start_date, id, status)",
    "CREATE UNIQUE INDEX svc_journal_entries_id ON svc_journal_entries (id)",
    "CREATE UNIQUE INDEX svc_journal_entries_external_id ON svc_journal_entries (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_journal_entries_order ON svc_journal_entries (company_id, created_at, id, status, kind)",
    "CREATE INDEX svc_journal_entries_date ON svc_journal_entries (company_id, order_key, id, status, kind)",
    "CREATE INDEX svc_journal_entries_changes ON svc_journal_entries (company_id, updated_at, id, status)",
    "CREATE INDEX svc_journal_entries_drafts ON svc_journal_entries (company_id, date) WHERE status = 0",
    "CREATE UNIQUE INDEX svc_journal_entries_number ON svc_journal_entries (company_id, year_id, number) \
     WHERE number IS NOT NULL",
    "CREATE UNIQUE INDEX svc_journal_entries_source ON svc_journal_entries (company_id, source_type, source_id, source_role) \
     WHERE source_type IS NOT NULL",
    "CREATE UNIQUE INDEX svc_journal_lines_id ON svc_journal_lines (id)",
    "CREATE INDEX svc_journal_lines_date ON svc_journal_lines (company_id, order_key, id, entry_status, kind, account_code)",
    "CREATE INDEX svc_journal_lines_of_account ON svc_journal_lines (company_id, account_code, order_key, id, entry_status)",
    "CREATE INDEX svc_journal_lines_of_contact ON svc_journal_lines (company_id, contact_id, order_key, id) \
     WHERE contact_id IS NOT NULL",
    "CREATE INDEX svc_journal_lines_sums ON svc_journal_lines (company_id, date, account_code, debit, credit, contact_id, opens_year) \
     WHERE entry_status > 0 AND NOT closes_year",
    "CREATE INDEX svc_journal_lines_closings ON svc_journal_lines (company_id, date, account_code, debit, credit, contact_id) \
     WHERE entry_status > 0 AND closes_year",
    "CREATE INDEX svc_tax_tags_date ON svc_tax_tags (company_id, tax_date, kind) WHERE entry_status > 0",
    "CREATE INDEX svc_tax_tags_of_contact ON svc_tax_tags (company_id, contact_id) WHERE contact_id IS NOT NULL",
];

const MONTH_SQLITE: &str = "CAST(substr(ROW.date, 1, 4) || substr(ROW.date, 6, 2) AS INTEGER)";

fn sums_on_sqlite() -> Vec<String> {
    let trigger = |event: &str, row: &str, sign: &str| {
        let month = MONTH_SQLITE.replace("ROW", row);
        format!(
            "CREATE TRIGGER svc_balances_{event} AFTER {event} ON svc_journal_lines \
             WHEN {row}.entry_status > 0 AND NOT {row}.closes_year BEGIN \
             INSERT INTO svc_balances (company_id, account_code, month, debit, credit) \
             VALUES ({row}.company_id, {row}.account_code, {month}, {sign}{row}.debit, {sign}{row}.credit) \
             ON CONFLICT (company_id, account_code, month) DO UPDATE \
             SET debit = debit + excluded.debit, credit = credit + excluded.credit; END"
        )
    };
    vec![trigger("INSERT", "NEW", ""), trigger("DELETE", "OLD", "-")]
}

/// Lines may be due on another day than when they were posted.
pub(crate) fn posted_due_dates(engine: DatabaseBackend) -> Vec<String> {
    written(engine, &["ALTER TABLE svc_journal_lines ADD COLUMN posted_due_date {key}"])
}

/// Entries by the record that they are of, whose type is not named.
pub(crate) fn sources(engine: DatabaseBackend) -> Vec<String> {
    written(
        engine,
        &["CREATE INDEX svc_journal_entries_source_id ON svc_journal_entries (company_id, source_id) \
           WHERE source_id IS NOT NULL"],
    )
}

fn sums_on_postgres() -> Vec<String> {
    let add = |rows: &str, sign: &str| {
        format!(
            "INSERT INTO svc_balances AS kept (company_id, account_code, month, debit, credit) \
             SELECT company_id, account_code, (substr(date, 1, 4) || substr(date, 6, 2))::integer AS month, \
             {sign}sum(debit), {sign}sum(credit) FROM {rows} WHERE entry_status > 0 AND NOT closes_year \
             GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 ON CONFLICT (company_id, account_code, month) DO UPDATE \
             SET debit = kept.debit + excluded.debit, credit = kept.credit + excluded.credit;"
        )
    };
    let function = format!(
        "CREATE FUNCTION svc_journal_lines_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF TG_OP = 'INSERT' THEN {} ELSE {} END IF; RETURN NULL; END $$",
        add("added", ""),
        add("removed", "-"),
    );
    let trigger = |event: &str, rows: &str| {
        format!(
            "CREATE TRIGGER svc_balances_{event} AFTER {event} ON svc_journal_lines REFERENCING {rows} \
             FOR EACH STATEMENT EXECUTE FUNCTION svc_journal_lines_sum()"
        )
    };
    vec![function, trigger("INSERT", "NEW TABLE AS added"), trigger("DELETE", "OLD TABLE AS removed")]
}
