//! What lists of documents are narrowed, counted and sorted by, whole ones and outlines alike.

use svc_business::magnitude::Magnitude;
use svc_business::purchases::document::{DocType, PaymentStatus, State, SupplierDocument, SupplierNumber};
use svc_business::purchases::{PurchaseFilter, PurchaseSort};
use svc_core::clock::Timestamp;
use svc_core::id::TypedId;

use crate::business::cell::Stored;
use crate::business::invoicing::due;
use crate::business::record::{Count, FEW};
use crate::business::search::search_keys;
use crate::migration::apart;
use crate::statement::Sql;

/// What many lines say is found in the first of them.
const SEARCHED_LINES: usize = 20;

pub(super) fn filtered(sql: Sql, filter: &PurchaseFilter) -> Sql {
    let number = filter.number.clone().map(SupplierNumber::from_stored).map(|number| number.key());
    sql.and(" AND status = ", filter.state.map(|state| state.to_sql()))
        .and(" AND doc_type = ", filter.doc_type.map(DocType::name))
        .and(" AND payment_status = ", filter.payment_status.map(PaymentStatus::name))
        .and(" AND owed_key < ", filter.overdue.map(|today| today.to_sql()))
        .and(" AND supplier_id = ", filter.supplier.map(TypedId::uuid))
        .and(" AND number_key = ", number)
        .and(" AND external_id = ", filter.external_id.as_deref())
        .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
        .and(" AND issue_date >= ", filter.from.map(|date| date.to_sql()))
        .and(" AND issue_date <= ", filter.to.map(|date| date.to_sql()))
}

pub(super) fn count(filter: &PurchaseFilter) -> Count<'_, PurchaseFilter> {
    let PurchaseFilter { companies, state, doc_type, payment_status, updated_since, .. } = filter.clone();
    let kinds = PurchaseFilter { companies, state, doc_type, payment_status, ..PurchaseFilter::default() };
    let changed = PurchaseFilter { updated_since, ..kinds.clone() };
    Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
}

pub(super) fn is_narrow(filter: &PurchaseFilter, total: u64) -> bool {
    let few = filter.overdue.is_some() || filter.supplier.is_some() || filter.updated_since.is_some();
    filter.number.is_some() || filter.external_id.is_some() || (few && total <= FEW)
}

pub(super) fn apart(filter: &PurchaseFilter) -> Option<&'static str> {
    match filter.payment_status {
        Some(PaymentStatus::Unpaid | PaymentStatus::PartiallyPaid) => Some(apart::UNPAID),
        Some(PaymentStatus::NotApplicable | PaymentStatus::Paid) | None => {
            filter.state.filter(|state| *state != State::Approved).map(|_| apart::DOCUMENTS)
        }
    }
}

pub(super) const fn sort_column(key: PurchaseSort) -> &'static str {
    match key {
        PurchaseSort::IssueDate => "issue_date",
        PurchaseSort::DueDate => "due_key",
        PurchaseSort::Total => "total_rank",
        PurchaseSort::RegisterNumber => "register_key",
        PurchaseSort::UpdatedAt => "updated_at",
    }
}

pub(super) fn number_compact(document: &SupplierDocument) -> Option<String> {
    due::number_compact(document.number.as_ref().map(SupplierNumber::as_str))
}

/// What is never due comes last.
pub(super) fn due_key(document: &SupplierDocument) -> String {
    document.due_date().map_or_else(|| "~".to_owned(), |due| due.to_sql())
}

/// When something is due that is not paid; nothing else is ever overdue.
pub(super) fn owed_key(document: &SupplierDocument) -> Option<String> {
    let due = document.due_date()?;
    (document.state() == State::Approved && document.due().minor() > 0).then(|| due.to_sql())
}

pub(super) fn register_key(document: &SupplierDocument) -> String {
    let place = document.approval_data().and_then(|approval| approval.register);
    place.map(|place| format!("{:04}/{:010}", place.year, place.number)).unwrap_or_default()
}

pub(super) fn number_key(document: &SupplierDocument) -> Option<String> {
    document.number.as_ref().map(SupplierNumber::key)
}

pub(super) fn duplicate_key(document: &SupplierDocument) -> Option<String> {
    document.duplicate_key().map(|key| key_of(&key))
}

/// Supplier, year and number as one text.
pub(super) fn key_of(key: &svc_business::purchases::document::DuplicateKey) -> String {
    format!("{}/{}/{}", key.supplier, key.year, key.number)
}

pub(super) fn total_rank(document: &SupplierDocument) -> i64 {
    Magnitude::from(document.content.totals().total).ten_thousandths()
}

pub(super) fn searched(document: &SupplierDocument) -> String {
    let supplier = document.approval_data().map(|approval| approval.supplier.name.as_str());
    let number = document.number.as_ref().map(SupplierNumber::as_str);
    let own = [number, supplier, document.notes.as_deref()];
    let lines = document.content.lines().iter().map(|line| line.description.as_str());
    search_keys(own.into_iter().flatten().chain(lines.take(SEARCHED_LINES)))
}
