//! Tables of what companies buy: suppliers, the documents that they send, and the books of received documents.
//!
//! A document is one row, as those of sales are.

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
    statements.extend(["svc_suppliers", "svc_supplier_documents"].map(|table| open_company(engine, table)));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_supplier_documents"]));
    statements
}

/// What waits for approval, by the day on which it is to be booked.
pub(crate) fn waiting(engine: DatabaseBackend) -> Vec<String> {
    written(engine, WAITING)
}

const WAITING: &[&str] = &["CREATE INDEX svc_supplier_documents_waiting ON svc_supplier_documents \
     (company_id, booked_on) WHERE status = 0"];

/// Suppliers are sorted by the names of their contacts: each has its own, which the database keeps in the commit of what
/// changes it.
pub(crate) fn names(engine: DatabaseBackend) -> Vec<String> {
    let mut statements = written(engine, NAMES);
    statements.extend(written(
        engine,
        if engine == DatabaseBackend::Postgres { KEPT_BY_POSTGRES } else { KEPT_BY_SQLITE },
    ));
    statements
}

const NAMES: &[&str] = &[
    "ALTER TABLE svc_suppliers ADD COLUMN name_key {key} NOT NULL DEFAULT ''",
    "UPDATE svc_suppliers SET name_key = (SELECT name_key FROM svc_contacts \
     WHERE svc_contacts.company_id = svc_suppliers.company_id AND svc_contacts.id = svc_suppliers.contact_id)",
    "CREATE INDEX svc_suppliers_name ON svc_suppliers (company_id, name_key, id, status, supplier_type)",
];

const KEPT_BY_POSTGRES: &[&str] = &[
    "CREATE FUNCTION svc_supplier_name() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     NEW.name_key := coalesce((SELECT name_key FROM svc_contacts \
     WHERE company_id = NEW.company_id AND id = NEW.contact_id), ''); RETURN NEW; END $$",
    "CREATE TRIGGER svc_suppliers_named BEFORE INSERT ON svc_suppliers FOR EACH ROW EXECUTE FUNCTION svc_supplier_name()",
    "CREATE TRIGGER svc_suppliers_renamed BEFORE UPDATE OF contact_id ON svc_suppliers FOR EACH ROW \
     WHEN (NEW.contact_id <> OLD.contact_id) EXECUTE FUNCTION svc_supplier_name()",
    "CREATE FUNCTION svc_contact_name() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     UPDATE svc_suppliers SET name_key = NEW.name_key WHERE company_id = NEW.company_id AND contact_id = NEW.id; \
     RETURN NULL; END $$",
    "CREATE TRIGGER svc_contacts_renamed AFTER UPDATE OF name_key ON svc_contacts FOR EACH ROW \
     WHEN (NEW.name_key <> OLD.name_key) EXECUTE FUNCTION svc_contact_name()",
];

const KEPT_BY_SQLITE: &[&str] = &[
    "CREATE TRIGGER svc_suppliers_named AFTER INSERT ON svc_suppliers BEGIN \
     UPDATE svc_suppliers SET name_key = coalesce((SELECT name_key FROM svc_contacts \
     WHERE company_id = NEW.company_id AND id = NEW.contact_id), '') \
     WHERE company_id = NEW.company_id AND id = NEW.id; END",
    "CREATE TRIGGER svc_suppliers_renamed AFTER UPDATE OF contact_id ON svc_suppliers \
     WHEN NEW.contact_id <> OLD.contact_id BEGIN \
     UPDATE svc_suppliers SET name_key = coalesce((SELECT name_key FROM svc_contacts \
     WHERE company_id = NEW.company_id AND id = NEW.contact_id), '') \
     WHERE company_id = NEW.company_id AND id = NEW.id; END",
    "CREATE TRIGGER svc_contacts_renamed AFTER UPDATE OF name_key ON svc_contacts WHEN NEW.name_key <> OLD.name_key BEGIN \
     UPDATE svc_suppliers SET name_key = NEW.name_key WHERE company_id = NEW.company_id AND contact_id = NEW.id; END",
];

pub(super) const COUNTED: &[Counted] = &[
    Counted { table: "svc_suppliers", kinds: &[("status", "{small}"), ("supplier_type", "text")] },
    Counted {
        table: "svc_supplier_documents",
        kinds: &[("status", "{small}"), ("doc_type", "text"), ("payment_status", "text")],
    },
];

const TABLES: &[&str] = &[
    "CREATE TABLE svc_suppliers (
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        contact_id {uuid} NOT NULL,
        code {key},
        supplier_type text NOT NULL,
        payment_term_days {int},
        payment_method text,
        expense_account text,
        tax_code text,
        withholding_rate text NOT NULL,
        withholding_key text NOT NULL,
        vat_regime text NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        PRIMARY KEY (company_id, id),
        CONSTRAINT svc_suppliers_contact FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_supplier_documents (
        {row}
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        doc_type text NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        accounting_date text,
        due_date text,
        fx_rate text,
        register_year {int},
        register_number {big},
        contact_id {uuid},
        supplier text,
        supplier_type text,
        withholding_key text,
        pro_rata text,
        late_tax {bool},
        approved_at {big},
        payments text,
        journal_entry_id {uuid},
        assets text,
        reason text,
        ended_at {big},
        supplier_id {uuid},
        number {key},
        shares_number {bool} NOT NULL,
        currency text NOT NULL,
        prices_include_tax {bool} NOT NULL,
        discount_type text,
        discount_value text,
        adjustments text NOT NULL,
        lines text NOT NULL,
        base_currency text NOT NULL,
        issue_date {key} NOT NULL,
        received_date text NOT NULL,
        operation_date text,
        notes text,
        payment_method text,
        iban text,
        origin text NOT NULL,
        tags text NOT NULL,
        payment_status text NOT NULL,
        supplier_name text,
        booked_on text NOT NULL,
        lines_total {big} NOT NULL,
        discount_total {big} NOT NULL,
        taxable_total {big} NOT NULL,
        tax_total {big} NOT NULL,
        total {big} NOT NULL,
        withholding_total {big} NOT NULL,
        net_payable {big} NOT NULL,
        payable {big} NOT NULL,
        paid {big} NOT NULL,
        due {big} NOT NULL,
        base_total {big},
        base_payable {big},
        total_rank {big} NOT NULL,
        number_compact {key},
        due_key {key} NOT NULL,
        owed_key {key},
        register_key {key} NOT NULL,
        number_key {key},
        duplicate_key {key},
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        FOREIGN KEY (company_id, supplier_id) REFERENCES svc_suppliers (company_id, id) DEFERRABLE,
        CONSTRAINT svc_supplier_documents_contact FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CHECK ((status IN (1, 3)) = (approved_at IS NOT NULL)),
        CHECK ((status IN (2, 3)) = (ended_at IS NOT NULL))
    ){strict}",
    "CREATE TABLE svc_supplier_payments (
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
        FOREIGN KEY (company_id, document_id) REFERENCES svc_supplier_documents (company_id, id) DEFERRABLE
    ){strict}",
    // The last number of each book of received documents.
    "CREATE TABLE svc_purchase_registers (
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        year {int} NOT NULL,
        last {big} NOT NULL,
        PRIMARY KEY (company_id, year)
    ){hot}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_suppliers_id ON svc_suppliers (id)",
    "CREATE UNIQUE INDEX svc_suppliers_external_id ON svc_suppliers (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_suppliers_order ON svc_suppliers (company_id, created_at, id, status, supplier_type)",
    "CREATE INDEX svc_suppliers_changes ON svc_suppliers (company_id, updated_at, id, status, supplier_type)",
    "CREATE INDEX svc_suppliers_of_contact ON svc_suppliers (company_id, contact_id, created_at, id)",
    "CREATE UNIQUE INDEX svc_suppliers_code ON svc_suppliers (company_id, code) WHERE code IS NOT NULL",
    "CREATE UNIQUE INDEX svc_supplier_documents_id ON svc_supplier_documents (id)",
    "CREATE UNIQUE INDEX svc_supplier_documents_external_id ON svc_supplier_documents (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_supplier_documents_order ON svc_supplier_documents \
     (company_id, created_at, id, status, doc_type, payment_status)",
    "CREATE INDEX svc_supplier_documents_date ON svc_supplier_documents \
     (company_id, issue_date, id, status, doc_type, payment_status)",
    // Where the movements of bank accounts lead to.
    "CREATE INDEX svc_supplier_documents_due_amount ON svc_supplier_documents \
     (company_id, currency, due, due_key, id) \
     WHERE status = 1 AND due <> 0",
    "CREATE INDEX svc_supplier_documents_due_contact ON svc_supplier_documents \
     (company_id, contact_id, currency, due_key, id, due) \
     WHERE status = 1 AND due <> 0",
    "CREATE INDEX svc_supplier_documents_due_number ON svc_supplier_documents \
     (company_id, number_compact, currency, due_key, id, due) \
     WHERE status = 1 AND due <> 0",
    "CREATE INDEX svc_supplier_payments_unmatched ON svc_supplier_payments \
     (company_id, amount, currency, paid_on, payment_id, bank_account_id) WHERE unmatched",
    "CREATE UNIQUE INDEX svc_supplier_payments_id ON svc_supplier_payments (company_id, payment_id)",
    "CREATE INDEX svc_supplier_documents_due ON svc_supplier_documents \
     (company_id, due_key, id, status, doc_type, payment_status, issue_date)",
    "CREATE INDEX svc_supplier_documents_total ON svc_supplier_documents \
     (company_id, total_rank, id, status, doc_type, payment_status, issue_date)",
    "CREATE INDEX svc_supplier_documents_registered ON svc_supplier_documents \
     (company_id, register_key, id, status, doc_type, payment_status, issue_date)",
    "CREATE INDEX svc_supplier_documents_changes ON svc_supplier_documents \
     (company_id, updated_at, id, status, doc_type, payment_status, issue_date)",
    "CREATE INDEX svc_supplier_documents_of_supplier ON svc_supplier_documents (company_id, supplier_id, issue_date, id)",
    "CREATE INDEX svc_supplier_documents_of_contact ON svc_supplier_documents (company_id, contact_id) \
     WHERE contact_id IS NOT NULL",
    "CREATE INDEX svc_supplier_documents_number ON svc_supplier_documents (company_id, number_key, id) \
     WHERE number_key IS NOT NULL",
    "CREATE INDEX svc_supplier_documents_owed ON svc_supplier_documents (company_id, owed_key, id) \
     WHERE owed_key IS NOT NULL",
    "CREATE UNIQUE INDEX svc_supplier_documents_duplicate ON svc_supplier_documents (company_id, duplicate_key) \
     WHERE duplicate_key IS NOT NULL",
    "CREATE UNIQUE INDEX svc_supplier_documents_register ON svc_supplier_documents \
     (company_id, register_year, register_number) WHERE register_number IS NOT NULL",
];
