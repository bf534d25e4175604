//! Tables of what companies sell: series, documents, their records for the tax office and their histories.
//!
//! A document is one row: its lines, payments and snapshots are read and written as a whole, and what lists need of
//! them stands beside them in columns. Issuing one with ten lines writes one row, and a list reads none of the lines.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::types::written;
use super::{keys, texts};

/// Creates the tables, in an order that their foreign keys allow.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let mut statements = if engine == DatabaseBackend::Postgres {
        keys::behind_indexes(tables, indexes)
    } else {
        [tables, indexes].concat()
    };
    statements.extend(["svc_series", "svc_sales_documents"].map(|table| open_company(engine, table)));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_sales_documents"]));
    statements
}

pub(super) const COUNTED: &[Counted] = &[Counted {
    table: "svc_sales_documents",
    kinds: &[("status", "{small}"), ("doc_type", "text"), ("payment_status", "text")],
}];

const TABLES: &[&str] = &[
    "CREATE TABLE svc_series (
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        code {key} NOT NULL,
        doc_types text NOT NULL,
        pattern text NOT NULL,
        reset_yearly {bool} NOT NULL,
        first_sequence {big} NOT NULL,
        last_date text,
        last_sequence {big},
        active {bool} NOT NULL,
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        CHECK ((last_date IS NULL) = (last_sequence IS NULL))
    ){strict}",
    "CREATE TABLE svc_sales_documents (
        {row}
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        doc_type text NOT NULL,
        acceptance text,
        rectifies text,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 2),
        series_id {uuid},
        issue_date text,
        due_date text,
        fx_rate text,
        number {key},
        number_year {int},
        sequence {big},
        late_tax {bool},
        customer text,
        issuer text,
        replaced text,
        issued_at {big},
        payments text,
        rectifications text,
        sent_at {big},
        send_status text,
        send_at {big},
        journal_entry_id {uuid},
        void_reason text,
        voided_at {big},
        contact_id {uuid},
        currency text NOT NULL,
        prices_include_tax {bool} NOT NULL,
        discount_type text,
        discount_value text,
        lines text NOT NULL,
        base_currency text NOT NULL,
        operation_date text,
        notes text,
        internal_notes text,
        reference text,
        payment_method text,
        iban text,
        source_id {uuid},
        tags text NOT NULL,
        payment_status text NOT NULL,
        rectification_status text NOT NULL,
        customer_name text,
        lines_total {big} NOT NULL,
        discount_total {big} NOT NULL,
        taxable_total {big} NOT NULL,
        tax_total {big} NOT NULL,
        total {big} NOT NULL,
        withholding_total {big} NOT NULL,
        payable {big} NOT NULL,
        paid {big} NOT NULL,
        due {big} NOT NULL,
        base_total {big},
        base_payable {big},
        total_rank {big} NOT NULL,
        order_key {key} NOT NULL,
        number_key {key} NOT NULL,
        number_compact {key},
        due_key {key} NOT NULL,
        owed_key {key},
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        FOREIGN KEY (company_id, series_id) REFERENCES svc_series (company_id, id),
        CONSTRAINT svc_sales_documents_contact FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CHECK ((status = 0) = (number IS NULL)),
        CHECK ((status = 0) = (sequence IS NULL)),
        CHECK ((status = 0) = (issued_at IS NULL)),
        CHECK ((status = 2) = (voided_at IS NOT NULL))
    ){strict}",
    // A document has one when it is issued and another one when it is voided.
    "CREATE TABLE svc_verifactu_records (
        company_id {uuid} NOT NULL,
        document_id {uuid} NOT NULL,
        position {int} NOT NULL,
        kind text NOT NULL,
        place {big} NOT NULL,
        issuer text NOT NULL,
        number text NOT NULL,
        date text NOT NULL,
        record_type text,
        currency text,
        tax {big},
        total {big},
        previous_hash text,
        generated_at text NOT NULL,
        hash text NOT NULL,
        transmission text NOT NULL,
        PRIMARY KEY (company_id, document_id, position),
        FOREIGN KEY (company_id, document_id) REFERENCES svc_sales_documents (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_sales_payments (
        company_id {uuid} NOT NULL,
        document_id {uuid} NOT NULL,
        position {int} NOT NULL,
        payment_id {uuid} NOT NULL,
        amount {big} NOT NULL,
        currency text NOT NULL,
        paid_on {key} NOT NULL,
        bank_account_id {uuid},
        unmatched {bool} NOT NULL,
        PRIMARY KEY (company_id, document_id, position),
        FOREIGN KEY (company_id, document_id) REFERENCES svc_sales_documents (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_sales_history (
        company_id {uuid} NOT NULL,
        document_id {uuid} NOT NULL,
        version {big} NOT NULL,
        kind {key} NOT NULL,
        at {big} NOT NULL,
        user_id {uuid},
        detail text,
        PRIMARY KEY (company_id, document_id, version, kind),
        FOREIGN KEY (company_id, document_id) REFERENCES svc_sales_documents (company_id, id) DEFERRABLE
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_series_id ON svc_series (id)",
    "CREATE UNIQUE INDEX svc_series_external_id ON svc_series (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_series_order ON svc_series (company_id, created_at, id, active)",
    "CREATE INDEX svc_series_changes ON svc_series (company_id, updated_at, id, active)",
    "CREATE UNIQUE INDEX svc_series_code ON svc_series (company_id, code)",
    "CREATE UNIQUE INDEX svc_sales_documents_id ON svc_sales_documents (id)",
    "CREATE UNIQUE INDEX svc_sales_documents_external_id ON svc_sales_documents (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_sales_documents_order ON svc_sales_documents \
     (company_id, created_at, id, status, doc_type, payment_status)",
    "CREATE INDEX svc_sales_documents_date ON svc_sales_documents \
     (company_id, order_key, id, status, doc_type, payment_status)",
    "CREATE INDEX svc_sales_documents_numbers ON svc_sales_documents \
     (company_id, number_key, id, status, doc_type, payment_status, order_key)",
    "CREATE INDEX svc_sales_documents_due ON svc_sales_documents \
     (company_id, due_key, id, status, doc_type, payment_status, order_key)",
    "CREATE INDEX svc_sales_documents_total ON svc_sales_documents \
     (company_id, total_rank, id, status, doc_type, payment_status, order_key)",
    "CREATE INDEX svc_sales_documents_changes ON svc_sales_documents \
     (company_id, updated_at, id, status, doc_type, payment_status, order_key)",
    "CREATE INDEX svc_sales_documents_of_contact ON svc_sales_documents (company_id, contact_id, order_key, id)",
    "CREATE INDEX svc_sales_documents_of_series ON svc_sales_documents (company_id, series_id, order_key, id)",
    "CREATE INDEX svc_sales_documents_of_currency ON svc_sales_documents (company_id, currency, order_key, id)",
    "CREATE INDEX svc_sales_documents_owed ON svc_sales_documents (company_id, owed_key, id) WHERE owed_key IS NOT NULL",
    "CREATE INDEX svc_sales_documents_unanswered ON svc_sales_documents (company_id, due_key) \
     WHERE acceptance = 'pending' AND status = 1",
    "CREATE INDEX svc_sales_documents_source ON svc_sales_documents (company_id, source_id, created_at, id) \
     WHERE source_id IS NOT NULL",
    "CREATE UNIQUE INDEX svc_sales_documents_sequence ON svc_sales_documents \
     (company_id, series_id, number_year, sequence) WHERE number IS NOT NULL",
    "CREATE UNIQUE INDEX svc_sales_documents_number ON svc_sales_documents (company_id, number) \
     WHERE number IS NOT NULL",
    // Where the movements of bank accounts lead to.
    "CREATE INDEX svc_sales_documents_due_amount ON svc_sales_documents \
     (company_id, currency, due, due_key, id) \
     WHERE status = 1 AND due <> 0 AND doc_type IN ('invoice', 'simplified_invoice', 'rectifying')",
    "CREATE INDEX svc_sales_documents_due_contact ON svc_sales_documents \
     (company_id, contact_id, currency, due_key, id, due) \
     WHERE status = 1 AND due <> 0 AND doc_type IN ('invoice', 'simplified_invoice', 'rectifying')",
    "CREATE INDEX svc_sales_documents_due_number ON svc_sales_documents \
     (company_id, number_compact, currency, due_key, id, due) \
     WHERE status = 1 AND due <> 0 AND doc_type IN ('invoice', 'simplified_invoice', 'rectifying')",
    "CREATE INDEX svc_sales_payments_unmatched ON svc_sales_payments \
     (company_id, amount, currency, paid_on, payment_id, bank_account_id) WHERE unmatched",
    "CREATE UNIQUE INDEX svc_sales_payments_id ON svc_sales_payments (company_id, payment_id)",
    "CREATE UNIQUE INDEX svc_verifactu_records_place ON svc_verifactu_records (company_id, place)",
];
