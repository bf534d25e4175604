//! What database errors mean to a caller.

use sea_orm::sqlx::error::DatabaseError;
use sea_orm::{DbErr, RuntimeErr, sqlx};
use svc_core::error::StoreError;

/// Turns a database error into what a caller can act on.
///
/// `unique` names the unique constraints that the statement may meet, as
/// (PostgreSQL constraint name, SQLite column list as in its message, wire name).
pub(crate) fn store_error(error: DbErr, unique: &[(&str, &str, &'static str)]) -> StoreError {
    if is_unreachable(&error) {
        tracing::warn!(%error, "the database cannot be reached");
        return StoreError::Busy;
    }
    let Some(database) = database_error(&error) else { return StoreError::backend(error) };
    let code = database.code().unwrap_or_default().into_owned();
    match code.as_str() {
        busy if BUSY.contains(&busy) => StoreError::Busy,
        undone if UNDONE.contains(&undone) => {
            tracing::info!(%error, "the database undid a unit of work so that another one could go on");
            StoreError::Undone
        }
        "22003" => StoreError::OutOfRange,
        "1" if database.message() == "integer overflow" => StoreError::OutOfRange,
        // What two whole numbers of SQLite add up to is a fraction where it is no whole number of 64 bits.
        "3091" if database.message().starts_with("cannot store REAL value in INTEGER column") => {
            StoreError::OutOfRange
        }
        // A reference that another unit took away, or one that is still needed: it was as it should be when it
        // was checked. So was the company that a trigger found closed.
        "23503" | "787" | "SVC01" | "1811" => StoreError::Conflict,
        // Unique, on PostgreSQL and as unique index or primary key on SQLite.
        "23505" | "2067" | "1555" => {
            let clash = |(constraint, columns, _): &&(&str, &str, &str)| {
                database.constraint() == Some(constraint) || met_by_sqlite(database.message()) == *columns
            };
            match unique.iter().chain(UNIQUE).find(clash) {
                Some((_, _, field)) => StoreError::Taken { field },
                None => StoreError::backend(error),
            }
        }
        _ => StoreError::backend(error),
    }
}

/// Unique values of records, which a commit may be the first to meet.
const UNIQUE: &[(&str, &str, &str)] = &[
    ("svc_contacts_external_id", "svc_contacts.company_id, svc_contacts.external_id", "externalId"),
    ("svc_contacts_tax_id_alone", "svc_contacts.company_id, svc_contacts.tax_id", "taxId"),
    ("svc_cases_external_id", "svc_cases.company_id, svc_cases.external_id", "externalId"),
    ("svc_envelopes_external_id", "svc_envelopes.company_id, svc_envelopes.external_id", "externalId"),
    ("svc_ledger_accounts_code", "svc_ledger_accounts.company_id, svc_ledger_accounts.code", "code"),
    (
        "svc_ledger_accounts_external_id",
        "svc_ledger_accounts.company_id, svc_ledger_accounts.external_id",
        "externalId",
    ),
    (
        "svc_fiscal_years_external_id",
        "svc_fiscal_years.company_id, svc_fiscal_years.external_id",
        "externalId",
    ),
    ("svc_fiscal_years_first_day", "svc_fiscal_years.company_id, svc_fiscal_years.start_date", "startDate"),
    ("svc_fiscal_years_last_day", "svc_fiscal_years.company_id, svc_fiscal_years.end_date", "endDate"),
    (
        "svc_journal_entries_external_id",
        "svc_journal_entries.company_id, svc_journal_entries.external_id",
        "externalId",
    ),
    (
        "svc_journal_entries_source",
        "svc_journal_entries.company_id, svc_journal_entries.source_type, svc_journal_entries.source_id, \
         svc_journal_entries.source_role",
        "source",
    ),
    (
        "svc_fixed_assets_external_id",
        "svc_fixed_assets.company_id, svc_fixed_assets.external_id",
        "externalId",
    ),
    ("svc_fixed_assets_code", "svc_fixed_assets.company_id, svc_fixed_assets.code", "assetCode"),
    (
        "svc_bank_accounts_external_id",
        "svc_bank_accounts.company_id, svc_bank_accounts.external_id",
        "externalId",
    ),
    ("svc_bank_accounts_number", "svc_bank_accounts.company_id, svc_bank_accounts.iban", "iban"),
    ("svc_bank_accounts_code", "svc_bank_accounts.company_id, svc_bank_accounts.account_code", "accountCode"),
    ("svc_bank_accounts_default", "svc_bank_accounts.company_id", "isDefault"),
    (
        "svc_bank_movements_place",
        "svc_bank_movements.fingerprint, svc_bank_movements.bank_account_id, svc_bank_movements.occurrence",
        "place",
    ),
    (
        "svc_bank_movement_imports_digest",
        "svc_bank_movement_imports.company_id, svc_bank_movement_imports.bank_account_id, svc_bank_movement_imports.digest",
        "file",
    ),
    (
        "svc_bank_matched_lines_id",
        "svc_bank_matched_lines.company_id, svc_bank_matched_lines.line_id",
        "line",
    ),
    (
        "svc_notices_reference",
        "svc_notices.company_id, svc_notices.source, svc_notices.reference",
        "reference",
    ),
    ("svc_tax_profiles_pkey", "svc_tax_profiles.company_id", "companyId"),
    (
        "svc_tax_returns_period",
        "svc_tax_returns.company_id, svc_tax_returns.model, svc_tax_returns.year, svc_tax_returns.period",
        "period",
    ),
    (
        "svc_data_room_files_external_id",
        "svc_data_room_files.company_id, svc_data_room_files.external_id",
        "externalId",
    ),
    ("svc_files_external_id", "svc_files.company_id, svc_files.external_id", "externalId"),
    ("svc_folders_name", "svc_folders.company_id, svc_folders.place, svc_folders.name_key", "name"),
    ("svc_folders_external_id", "svc_folders.company_id, svc_folders.external_id", "externalId"),
    ("svc_series_code", "svc_series.company_id, svc_series.code", "seriesCode"),
    ("svc_series_external_id", "svc_series.company_id, svc_series.external_id", "externalId"),
    (
        "svc_sales_documents_external_id",
        "svc_sales_documents.company_id, svc_sales_documents.external_id",
        "externalId",
    ),
    (
        "svc_sales_documents_sequence",
        "svc_sales_documents.company_id, svc_sales_documents.series_id, svc_sales_documents.number_year, \
         svc_sales_documents.sequence",
        "number",
    ),
    ("svc_sales_documents_number", "svc_sales_documents.company_id, svc_sales_documents.number", "number"),
    ("svc_suppliers_code", "svc_suppliers.company_id, svc_suppliers.code", "supplierCode"),
    ("svc_suppliers_external_id", "svc_suppliers.company_id, svc_suppliers.external_id", "externalId"),
    (
        "svc_supplier_documents_external_id",
        "svc_supplier_documents.company_id, svc_supplier_documents.external_id",
        "externalId",
    ),
    (
        "svc_supplier_documents_duplicate",
        "svc_supplier_documents.company_id, svc_supplier_documents.duplicate_key",
        "supplierNumber",
    ),
    (
        "svc_supplier_documents_register",
        "svc_supplier_documents.company_id, svc_supplier_documents.register_year, \
         svc_supplier_documents.register_number",
        "registerNumber",
    ),
    ("svc_group_members_pkey", "svc_group_members.account_id", "accountId"),
];

/// A database error of a statement that meets no unique constraint of its own.
pub(crate) fn backend(error: DbErr) -> StoreError {
    store_error(error, &[])
}

/// PostgreSQL: serialization failure, and deadlock.
const UNDONE: [&str; 2] = ["40001", "40P01"];

/// PostgreSQL: lock not available, time limit of statements, too many connections. SQLite: busy, locked, interrupted, no
/// lock to read with after many tries (`SQLITE_PROTOCOL`), busy with recovery, and a snapshot too old to write from.
const BUSY: [&str; 9] = ["55P03", "57014", "53300", "5", "6", "9", "15", "261", "517"];

/// Whether the database answered that it does not run the statement, and so undid all of it: another one
/// may pass, and so may a part of this one.
pub(crate) fn is_refused(error: &DbErr) -> bool {
    match database_error(error) {
        Some(database) => !is_unreachable(error) && database.code().as_deref() != Some(TOO_MANY),
        None => false,
    }
}

/// PostgreSQL: too many connections.
const TOO_MANY: &str = "53300";

/// Whether no connection could be had, or the one in use broke: PostgreSQL is restarting, or ended the
/// session. Whether a commit that was under way took effect is not known then.
fn is_unreachable(error: &DbErr) -> bool {
    // Every connection is taken and stayed so for as long as one waits.
    if matches!(error, DbErr::ConnectionAcquire(_)) {
        return true;
    }
    match library_error(error) {
        Some(sqlx::Error::Io(_) | sqlx::Error::PoolClosed | sqlx::Error::PoolTimedOut) => true,
        Some(sqlx::Error::Database(database)) => {
            let code = database.code().unwrap_or_default();
            ENDED.iter().any(|class| code.starts_with(class))
        }
        Some(_) | None => false,
    }
}

/// PostgreSQL: connection exceptions; sessions that were ended, by an operator, a crash or a time limit,
/// or not begun because the server is starting up.
const ENDED: [&str; 3] = ["08", "57P0", "25P03"];

fn database_error(error: &DbErr) -> Option<&dyn DatabaseError> {
    match library_error(error) {
        Some(sqlx::Error::Database(database)) => Some(database.as_ref()),
        Some(_) | None => None,
    }
}

fn library_error(error: &DbErr) -> Option<&sqlx::Error> {
    if let DbErr::Exec(RuntimeErr::SqlxError(inner))
    | DbErr::Query(RuntimeErr::SqlxError(inner))
    | DbErr::Conn(RuntimeErr::SqlxError(inner)) = error
    {
        return Some(inner);
    }
    None
}

/// What `UNIQUE constraint failed: t.a, t.b` names.
fn met_by_sqlite(message: &str) -> &str {
    message.strip_prefix("UNIQUE constraint failed: ").unwrap_or(message)
}
