//! Indexes of the few records that have not come to rest, such as drafts among what is issued: they are found without
//! the many that have.
//!
//! Each is chosen where a statement says its predicate word for word, beside the values that it binds.

use sea_orm::DatabaseBackend;

/// Contacts that are archived or merged.
pub(crate) const CONTACTS: &str = "status <> 0";
/// Cases that are not closed.
pub(crate) const CASES: &str = "status <> 3";
/// Documents of either kind that are not issued, or not approved.
pub(crate) const DOCUMENTS: &str = "status <> 1";
/// Documents of either kind of which something is due.
pub(crate) const UNPAID: &str = "payment_status IN ('unpaid', 'partially_paid')";
/// Movements that are not reconciled.
pub(crate) const MOVEMENTS: &str = "status <> 1";
/// Entries that are not in force.
pub(crate) const ENTRIES: &str = "status <> 1";
/// Notices that were not opened.
pub(crate) const NOTICES: &str = "status <> 1";
/// Notices that wait for what they ask for.
pub(crate) const UNHANDLED: &str = "NOT handled";
/// Envelopes that are not completed.
pub(crate) const ENVELOPES: &str = "status <> 2";
/// Deleted files.
pub(crate) const FILES: &str = "status <> 0";

/// Each with the table, the end of its name, the columns after the company, and the predicate.
const INDEXES: [(&str, &str, &str, &str); 12] = [
    ("svc_contacts", "apart", "status, created_at, id, roles, kind", CONTACTS),
    ("svc_cases", "apart", "status, created_at, id, type", CASES),
    ("svc_sales_documents", "apart", "status, created_at, id, doc_type, payment_status", DOCUMENTS),
    ("svc_sales_documents", "unpaid", "payment_status, created_at, id, status, doc_type", UNPAID),
    ("svc_supplier_documents", "apart", "status, created_at, id, doc_type, payment_status", DOCUMENTS),
    ("svc_supplier_documents", "unpaid", "payment_status, created_at, id, status, doc_type", UNPAID),
    ("svc_bank_movements", "apart", "status, created_at, id, bank_account_id, incoming", MOVEMENTS),
    ("svc_journal_entries", "apart", "status, created_at, id, kind", ENTRIES),
    ("svc_notices", "apart", "status, created_at, id, source, kind, handled", NOTICES),
    ("svc_notices", "unhandled", "handled, created_at, id, status, source, kind", UNHANDLED),
    ("svc_envelopes", "apart", "status, created_at, id", ENVELOPES),
    ("svc_files", "apart", "status, created_at, id, mime_type", FILES),
];

pub(super) fn statements(_: DatabaseBackend) -> Vec<String> {
    let index = |(table, name, columns, predicate)| {
        format!("CREATE INDEX {table}_{name} ON {table} (company_id, {columns}) WHERE {predicate}")
    };
    INDEXES.map(index).to_vec()
}
