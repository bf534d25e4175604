//! Tax returns as rows.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::tax::returns::{
    Channel, Model, Outcome, Period, ReturnKind, ReturnParty, ReturnStatus, Submission, TaxPeriod, TaxReturn,
    TaxReturnFilter, TaxReturnReader, TaxReturnSort, TaxReturnStore,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::{parties, payments};
use crate::business::cell::{Cell, Columns, Stored, displayed, named};
use crate::business::everything;
use crate::business::record::{Child, Count, FEW, Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

impl Row for TaxReturn {
    const TABLE: &'static str = "svc_tax_returns";

    columns! {
        {
            id: "id",
            company: "company_id",
            model: "model",
            period: "year" | "period" | "starts_on" | "ends_on",
            kind: "kind",
            corrects: "corrects_id",
            due: "due_on",
            said: "said",
            figures: "computed_at" | "books" | "boxes" | "result" | "amount" | "warnings" | "parties",
            status: "status",
            submission: "submitted_at" | "submitted_by" | "channel" | "receipt" | "csv" | "settlement_id" | "settled_on",
            outcome: "outcome_at" | "outcome_message",
            submissions: "submissions",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children { payments }
        derived { "outstanding" = payments::outstanding }
    }

    const CHILDREN: &'static [Child<Self>] = &[payments::CHILD];

    fn companies(filter: &TaxReturnFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &TaxReturnFilter) -> Sql {
        sql.and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND model = ", filter.model.map(Model::name))
            .and(" AND year = ", filter.year)
            .and(" AND period = ", filter.period.map(|period| period.to_string()))
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND due_on >= ", filter.from.map(|date| date.to_sql()))
            .and(" AND due_on <= ", filter.to.map(|date| date.to_sql()))
    }

    fn count(filter: &TaxReturnFilter) -> Count<'_, TaxReturnFilter> {
        let TaxReturnFilter { companies, status, model, updated_since, .. } = filter.clone();
        let kinds = TaxReturnFilter { companies, status, model, ..TaxReturnFilter::default() };
        let changed = TaxReturnFilter { updated_since, ..kinds.clone() };
        Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &TaxReturnFilter, total: u64) -> bool {
        let some = filter.from.is_some() || filter.to.is_some() || filter.updated_since.is_some();
        some && total <= FEW
    }

    fn sort_column(key: TaxReturnSort) -> &'static str {
        match key {
            TaxReturnSort::DueDate => "due_on",
            TaxReturnSort::UpdatedAt => "updated_at",
        }
    }
}

named!(Model: name, ReturnKind: name, Channel: name);
displayed!(Period);

impl Stored for ReturnStatus {
    type Sql = i16;

    fn to_sql(&self) -> i16 {
        match self {
            Self::Pending => 0,
            Self::Prepared => 1,
            Self::Submitted => 2,
            Self::Accepted => 3,
            Self::Rejected => 4,
        }
    }

    fn from_sql(sql: i16) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.to_sql() == sql)
    }
}

/// `year`, `period`, `starts_on`, `ends_on`
impl Columns for TaxPeriod {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.year().put(), self.period().put(), self.from().put(), self.to().put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [year, period, from, to] = columns else { return Err(StoreError::backend("four columns")) };
        let (year, period): (i32, Period) = (Cell::take(row, year)?, Cell::take(row, period)?);
        let (from, to): (Date, Date) = (Cell::take(row, from)?, Cell::take(row, to)?);
        // A tax year need not be a calendar year.
        let found = match period {
            Period::Year => Self::tax_year(from, to),
            Period::Month(_) | Period::Quarter(_) => Self::new(year, period),
        };
        found.map_err(|_| broken("tax_returns.period"))
    }
}

/// `submitted_at`, `submitted_by`, `channel`, `receipt`, `csv`, `settlement_id`, `settled_on`
impl Columns for Option<Submission> {
    fn store(&self, values: &mut Vec<Value>) {
        let of = self.as_ref();
        values.extend([
            of.map(|one| one.at).put(),
            of.and_then(|one| one.by).put(),
            of.map(|one| one.channel).put(),
            of.and_then(|one| one.receipt.clone()).put(),
            of.and_then(|one| one.csv.clone()).put(),
            of.and_then(|one| one.settlement).put(),
            of.and_then(|one| one.account).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [at, by, channel, receipt, csv, settlement, account] = columns else {
            return Err(StoreError::backend("seven columns"));
        };
        let (at, channel): (Option<Timestamp>, Option<Channel>) =
            (Cell::take(row, at)?, Cell::take(row, channel)?);
        let (at, channel) = match (at, channel) {
            (Some(at), Some(channel)) => (at, channel),
            (None, None) => return Ok(None),
            (Some(_), None) | (None, Some(_)) => return Err(broken("tax_returns.submitted_at")),
        };
        Ok(Some(Submission {
            at,
            by: Cell::take(row, by)?,
            channel,
            receipt: Cell::take(row, receipt)?,
            csv: Cell::take(row, csv)?,
            settlement: Cell::take(row, settlement)?,
            account: Cell::take(row, account)?,
        }))
    }
}

/// `outcome_at`, `outcome_message`
impl Columns for Option<Outcome> {
    fn store(&self, values: &mut Vec<Value>) {
        let of = self.as_ref();
        values.extend([of.map(|one| one.at).put(), of.and_then(|one| one.message.clone()).put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [at, message] = columns else { return Err(StoreError::backend("two columns")) };
        let (at, message): (Option<Timestamp>, Option<String>) =
            (Cell::take(row, at)?, Cell::take(row, message)?);
        Ok(at.map(|at| Outcome { at, message }))
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> TaxReturnReader for SeaStore<C> {
    async fn ending(
        &self,
        company: AccountId,
        models: &[Model],
        (first, last): (Date, Date),
        limit: u32,
    ) -> Result<Vec<TaxReturn>, StoreError> {
        let names = models.iter().map(|model| format!("'{model}'")).collect::<Vec<_>>().join(", ");
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let text =
            format!("SELECT {} FROM svc_tax_returns WHERE company_id = ", TaxReturn::COLUMNS.join(", "));
        let found = self.sql(&text).bind(company.uuid());
        let found =
            found.text(" AND ends_on >= ").bind(first.to_sql()).text(" AND ends_on <= ").bind(last.to_sql());
        let found = found.text(&format!(" AND model IN ({names}) ORDER BY ends_on, created_at, id LIMIT "));
        let rows = self.rows(found.bind(i64::from(limit))).await?;
        self.with_children(&everything(), &rows).await
    }

    async fn unpaid(
        &self,
        company: AccountId,
        due: Amount,
        limit: u32,
    ) -> Result<Vec<TaxReturn>, StoreError> {
        if due.currency() != Currency::EUR || due.minor() == 0 {
            return Ok(Vec::new());
        }
        let text =
            format!("SELECT {} FROM svc_tax_returns WHERE company_id = ", TaxReturn::COLUMNS.join(", "));
        let found = self.sql(&text).bind(company.uuid());
        let found = found.text(" AND outstanding <> 0 AND outstanding = ").bind(due.minor());
        let found = found.text(" ORDER BY due_on, id LIMIT ").bind(i64::from(limit));
        let rows = self.rows(found).await?;
        self.with_children(&everything(), &rows).await
    }

    async fn parties(&self, of: &TaxReturn, from: u32, limit: u32) -> Result<Vec<ReturnParty>, StoreError> {
        let text =
            format!("SELECT {} FROM svc_tax_return_parties WHERE company_id = ", parties::COLUMNS.join(", "));
        let found = self.sql(&text).bind(of.company.uuid()).text(" AND return_id = ").bind(of.id.uuid());
        let found = found.text(" AND position >= ").bind(i64::from(from));
        let found = found.text(" ORDER BY position LIMIT ").bind(i64::from(limit));
        self.rows(found).await?.iter().map(parties::read).collect()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> TaxReturnStore for SeaStore<C> {
    async fn set_parties(&self, of: &TaxReturn, parties: &[ReturnParty]) -> Result<(), StoreError> {
        let gone = self.sql("DELETE FROM svc_tax_return_parties WHERE company_id = ").bind(of.company.uuid());
        gone.text(" AND return_id = ").bind(of.id.uuid()).execute(&self.conn).await?;
        for insertion in parties::insertions(of, parties) {
            insertion.run(&self.conn).await.map_err(crate::error::backend)?;
        }
        Ok(())
    }
}
