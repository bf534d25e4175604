//! What lists of documents are narrowed, counted and sorted by, whole ones and outlines alike.

use svc_business::magnitude::Magnitude;
use svc_business::sales::document::{DocType, PaymentStatus, SalesDocument, State};
use svc_business::sales::{SalesFilter, SalesSort};
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

pub(super) fn filtered(sql: Sql, filter: &SalesFilter) -> Sql {
    sql.and(" AND status = ", filter.state.map(|state| state.to_sql()))
        .and(" AND doc_type = ", filter.doc_type.map(DocType::name))
        .and(" AND payment_status = ", filter.payment_status.map(PaymentStatus::name))
        .and(" AND owed_key < ", filter.overdue.map(|today| today.to_sql()))
        .and(" AND contact_id = ", filter.contact.map(TypedId::uuid))
        .and(" AND series_id = ", filter.series.map(TypedId::uuid))
        .and(" AND number = ", filter.number.as_deref())
        .and(" AND currency = ", filter.currency.map(svc_core::money::Currency::code))
        .and(" AND total_rank >= ", filter.min_total.map(Magnitude::ten_thousandths))
        .and(" AND total_rank <= ", filter.max_total.map(Magnitude::ten_thousandths))
        .and(" AND external_id = ", filter.external_id.as_deref())
        .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
        .and(" AND order_key >= ", filter.from.map(|date| date.to_sql()))
        .and(" AND order_key < ", filter.to.map(|date| format!("{}~", date.to_sql())))
}

pub(super) fn count(filter: &SalesFilter) -> Count<'_, SalesFilter> {
    let SalesFilter { companies, state, doc_type, payment_status, updated_since, .. } = filter.clone();
    let kinds = SalesFilter { companies, state, doc_type, payment_status, ..SalesFilter::default() };
    let changed = SalesFilter { updated_since, ..kinds.clone() };
    Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
}

pub(super) fn is_narrow(filter: &SalesFilter, total: u64) -> bool {
    let few = filter.overdue.is_some()
        || filter.series.is_some()
        || filter.currency.is_some()
        || filter.min_total.is_some()
        || filter.max_total.is_some()
        || filter.updated_since.is_some();
    let one = filter.contact.is_some() || filter.number.is_some() || filter.external_id.is_some();
    one || (few && total <= FEW)
}

pub(super) fn apart(filter: &SalesFilter) -> Option<&'static str> {
    match filter.payment_status {
        Some(PaymentStatus::Unpaid | PaymentStatus::PartiallyPaid) => Some(apart::UNPAID),
        Some(PaymentStatus::NotApplicable | PaymentStatus::Paid) | None => {
            filter.state.filter(|state| *state != State::Issued).map(|_| apart::DOCUMENTS)
        }
    }
}

pub(super) const fn sort_column(key: SalesSort) -> &'static str {
    match key {
        SalesSort::IssueDate => "order_key",
        SalesSort::Number => "number_key",
        SalesSort::DueDate => "due_key",
        SalesSort::Total => "total_rank",
        SalesSort::UpdatedAt => "updated_at",
    }
}

/// Days of issue, and numbers within each; drafts by the day on which they were created.
pub(super) fn order_key(document: &SalesDocument) -> String {
    match document.issue_data() {
        Some(issue) => format!("{}/{}", issue.issue_date, issue.number),
        None => format!("{}/", document.created_at.date()),
    }
}

pub(super) fn number_key(document: &SalesDocument) -> String {
    document.issue_data().map(|issue| issue.number.to_string()).unwrap_or_default()
}

pub(super) fn number_compact(document: &SalesDocument) -> Option<String> {
    due::number_compact(document.issue_data().map(|issue| issue.number.as_str()))
}

/// What is never due comes last.
pub(super) fn due_key(document: &SalesDocument) -> String {
    document.due_date().map_or_else(|| "~".to_owned(), |due| due.to_sql())
}

/// When something is due that is not paid; nothing else is ever overdue.
pub(super) fn owed_key(document: &SalesDocument) -> Option<String> {
    let due = document.due_date()?;
    let owed = document.state() == State::Issued && document.is_fiscal() && document.due().minor() > 0;
    owed.then(|| due.to_sql())
}

pub(super) fn total_rank(document: &SalesDocument) -> i64 {
    Magnitude::from(document.content.totals().total).ten_thousandths()
}

pub(super) fn searched(document: &SalesDocument) -> String {
    let issue = document.issue_data();
    let number = issue.map(|issue| issue.number.as_str());
    let customer = issue.and_then(|issue| issue.customer.as_ref()).map(|customer| customer.name.as_str());
    let own = [number, customer, document.reference.as_deref(), document.notes.as_deref()];
    let lines = document.content.lines().iter().map(|line| line.description.as_str());
    search_keys(own.into_iter().flatten().chain(lines.take(SEARCHED_LINES)))
}
