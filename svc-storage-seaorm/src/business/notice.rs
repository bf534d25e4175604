//! Notices as rows.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::notice::{
    Notice, NoticeFilter, NoticeKind, NoticeReader, NoticeSort, NoticeSource, NoticeStatus,
    NoticeStatusFilter, NoticeStore,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, NoticeId, TypedId, UserId};
use time::{Date, Duration};

use super::cell::{Cell, Columns, Stored, named};
use super::record::{Count, FEW, Reference, Row, columns};
use super::search::search_keys;
use crate::migration::apart;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

const AVAILABLE: i16 = 0;
const ACCESSED: i16 = 1;
const REJECTED: i16 = 2;
const EXPIRED: i16 = 3;

impl Row for Notice {
    const TABLE: &'static str = "svc_notices";
    const REFERENCES: &'static [Reference] = &[Reference::once("case_id", "svc_cases")];

    columns! {
        {
            id: "id",
            company: "company_id",
            source: "source",
            kind: "kind",
            issuer: "issuer",
            subject: "subject",
            reference: "reference",
            recipient_tax_id: "recipient_tax_id",
            available_at: "available_at",
            expires_on: "expires_on",
            status: "status" | "ended_at" | "ended_by",
            response_due_on: "response_due_on",
            case: "case_id",
            assigned: "assigned_user_id",
            handled: "handled",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children {  }
        derived { "expires_key" = expires_key, "search_key" = searched }
    }

    fn companies(filter: &NoticeFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &NoticeFilter) -> Sql {
        let status = filter.status.map(|status| match status {
            NoticeStatusFilter::Available => AVAILABLE,
            NoticeStatusFilter::Accessed => ACCESSED,
            NoticeStatusFilter::Rejected => REJECTED,
            NoticeStatusFilter::Expired => EXPIRED,
        });
        let day = |date| Timestamp::start_of(date).unix_micros();
        sql.and(" AND status = ", status)
            .and(" AND source = ", filter.source.map(NoticeSource::name))
            .and(" AND kind = ", filter.kind.map(NoticeKind::name))
            .and(" AND handled = ", filter.handled)
            .and(" AND case_id = ", filter.case.map(TypedId::uuid))
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND available_at >= ", filter.from.map(day))
            .and(" AND available_at < ", filter.to.map(|date| day(date.saturating_add(Duration::DAY))))
    }

    fn count(filter: &NoticeFilter) -> Count<'_, NoticeFilter> {
        let NoticeFilter { companies, status, source, kind, handled, updated_since, .. } = filter.clone();
        let kinds = NoticeFilter { companies, status, source, kind, handled, ..NoticeFilter::default() };
        let changed = NoticeFilter { updated_since, ..kinds.clone() };
        Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &NoticeFilter, total: u64) -> bool {
        let dates = filter.from.is_some() || filter.to.is_some();
        filter.case.is_some() || ((filter.updated_since.is_some() || dates) && total <= FEW)
    }

    fn apart(filter: &NoticeFilter) -> Option<&'static str> {
        let unopened = filter.status.filter(|status| *status != NoticeStatusFilter::Accessed);
        match filter.handled {
            Some(false) => Some(apart::UNHANDLED),
            Some(true) | None => unopened.map(|_| apart::NOTICES),
        }
    }

    fn text(filter: &NoticeFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: NoticeSort) -> &'static str {
        match key {
            NoticeSort::AvailableAt => "available_at",
            NoticeSort::ExpiresOn => "expires_key",
            NoticeSort::UpdatedAt => "updated_at",
        }
    }
}

/// What does not expire comes last.
fn expires_key(notice: &Notice) -> String {
    notice.expires_on.map_or_else(|| "~".to_owned(), |last| last.to_sql())
}

fn searched(notice: &Notice) -> String {
    search_keys([notice.issuer.as_str(), notice.subject.as_str(), notice.reference.as_str()])
}

named!(NoticeSource: name, NoticeKind: name);

/// `status`, `ended_at`, `ended_by`
impl Columns for NoticeStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (code, ended) = match *self {
            Self::Available => (AVAILABLE, None),
            Self::Accessed { at, by } => (ACCESSED, Some((at, by))),
            Self::Rejected { at, by } => (REJECTED, Some((at, by))),
            Self::Expired => (EXPIRED, None),
        };
        values.extend([code.put(), ended.map(|(at, _)| at).put(), ended.map(|(_, by)| by).put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, at, by] = columns else { return Err(StoreError::backend("three columns")) };
        let ended: (Option<Timestamp>, Option<UserId>) = (Cell::take(row, at)?, Cell::take(row, by)?);
        match (Cell::take(row, status)?, ended) {
            (AVAILABLE, (None, None)) => Ok(Self::Available),
            (ACCESSED, (Some(at), Some(by))) => Ok(Self::Accessed { at, by }),
            (REJECTED, (Some(at), Some(by))) => Ok(Self::Rejected { at, by }),
            (EXPIRED, (None, None)) => Ok(Self::Expired),
            _ => Err(broken("notices.status")),
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> NoticeReader for SeaStore<C> {
    async fn expiring(
        &self,
        company: AccountId,
        before: Date,
        limit: u32,
    ) -> Result<Vec<NoticeId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_notices WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND status = 0 AND expires_key < ").bind(before.to_sql());
        let found = found.text(" ORDER BY expires_key LIMIT ").bind(i64::from(limit));
        self.rows(found).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }
}

impl<C: DeferInsert + Send + Sync> NoticeStore for SeaStore<C> {}
