//! Jobs as rows.

use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::job::{Job, JobKind, JobLook, JobOverview, JobReader, JobStore, NewJob, Outcome, Run};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};

use super::cell::{Cell, Stored, named};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

named!(JobKind: name, Outcome: name);

const LOOK: &str =
    "SELECT id, kind, company_id, due_at, failures, ran_at, took, outcome, note FROM svc_jobs WHERE ";

#[async_trait]
impl<C: DeferInsert + Send + Sync> JobReader for SeaStore<C> {
    async fn next_due(&self, kind: JobKind) -> Result<Option<Timestamp>, StoreError> {
        let first = self.sql("SELECT due_at FROM svc_jobs WHERE kind = ").bind(kind.to_sql());
        let first = first.text(" AND due_at IS NOT NULL ORDER BY due_at LIMIT 1");
        self.rows(first).await?.first().map(|row| Cell::take(row, "due_at")).transpose()
    }

    async fn without(&self, kind: JobKind, limit: u32) -> Result<Vec<AccountId>, StoreError> {
        let missing = self.sql(
            "SELECT id FROM svc_accounts WHERE status = 0 AND NOT EXISTS \
             (SELECT 1 FROM svc_jobs WHERE svc_jobs.company_id = svc_accounts.id AND svc_jobs.due_at IS NOT NULL \
             AND svc_jobs.kind = ",
        );
        let missing = missing.bind(kind.to_sql()).text(") LIMIT ").bind(i64::from(limit));
        self.rows(missing).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }

    async fn waiting(&self, company: AccountId, kind: JobKind, limit: u32) -> Result<u32, StoreError> {
        let waiting = self.sql("SELECT id FROM svc_jobs WHERE due_at IS NOT NULL AND company_id = ");
        let waiting = waiting.bind(company.uuid()).text(" AND kind = ").bind(kind.to_sql());
        let rows = self.rows(waiting.text(" LIMIT ").bind(i64::from(limit))).await?;
        Ok(u32::try_from(rows.len()).unwrap_or(u32::MAX))
    }

    async fn overview(&self, now: Timestamp, limit: u32) -> Result<JobOverview, StoreError> {
        let looks = async |sql: Sql| {
            let rows = self.rows(sql.text(" LIMIT ").bind(i64::from(limit))).await?;
            rows.iter().map(look).collect::<Result<Vec<_>, _>>()
        };
        let mut due = Vec::new();
        for kind in JobKind::ALL {
            let of_kind = self.sql(LOOK).text("kind = ").bind(kind.to_sql()).text(" AND due_at <= ");
            due.extend(looks(of_kind.bind(now.to_sql()).text(" ORDER BY due_at")).await?);
        }
        due.sort_by_key(|job| job.due);
        due.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let troubled = looks(self.sql(LOOK).text("outcome <> 'done' ORDER BY ran_at DESC")).await?;
        let latest = looks(self.sql(LOOK).text("ran_at IS NOT NULL ORDER BY ran_at DESC")).await?;
        Ok(JobOverview { due, troubled, latest })
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> JobStore for SeaStore<C> {
    async fn put(&self, jobs: &[NewJob]) -> Result<(), StoreError> {
        if jobs.is_empty() {
            return Ok(());
        }
        let row = |job: &NewJob| -> Vec<Value> {
            vec![
                job.id.uuid().into(),
                job.company.map(TypedId::uuid).into(),
                job.kind.to_sql().into(),
                job.key.clone().into(),
                job.body.clone().into(),
                job.due.to_sql().into(),
                0_i64.into(),
                0_i64.into(),
            ]
        };
        let put = self.sql("INSERT INTO svc_jobs (id, company_id, kind, key, body, due_at, claim, failures)");
        let put = put.rows(jobs.iter().map(row)).text(" ON CONFLICT (kind, key) DO NOTHING");
        put.execute(&self.conn).await.map(drop)
    }

    async fn claim(
        &self,
        kind: JobKind,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Job>, StoreError> {
        let claim = self.sql("UPDATE svc_jobs SET claim = claim + 1, due_at = ").bind(until.to_sql());
        let claim = claim.text(" WHERE id").selected(|sql| {
            let due = sql.text("SELECT id FROM svc_jobs WHERE kind = ").bind(kind.to_sql());
            let due = due.text(" AND due_at <= ").bind(now.to_sql()).text(" ORDER BY due_at LIMIT ");
            due.bind(i64::from(limit)).on_postgres(" FOR UPDATE SKIP LOCKED")
        });
        let claim = claim.text(" RETURNING id, kind, company_id, body, failures, claim");
        let rows = claim.all(&self.conn).await?;
        let job = |row: &QueryResult| {
            Ok(Job {
                id: Cell::take(row, "id")?,
                kind: Cell::take(row, "kind")?,
                company: Cell::take(row, "company_id")?,
                body: Cell::take(row, "body")?,
                failures: Cell::take(row, "failures")?,
                claim: Cell::take(row, "claim")?,
            })
        };
        rows.iter().map(job).collect()
    }

    async fn put_off(&self, job: &Job, due: Timestamp, run: &Run) -> Result<(), StoreError> {
        let failures = if run.outcome == Outcome::Failed { job.failures.saturating_add(1) } else { 0 };
        self.after(job, Some(due), failures, run).await
    }

    async fn end(&self, job: &Job, run: &Run) -> Result<(), StoreError> {
        self.after(job, None, 0, run).await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        let purge = self.sql("DELETE FROM svc_jobs WHERE due_at IS NULL AND ran_at < ").bind(before.to_sql());
        purge.execute(&self.conn).await
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Writes what a run of a claimed job came to.
    async fn after(
        &self,
        job: &Job,
        due: Option<Timestamp>,
        failures: u32,
        run: &Run,
    ) -> Result<(), StoreError> {
        let took = i64::try_from(run.took.as_micros()).unwrap_or(i64::MAX);
        let note: String = run.note.chars().take(500).collect();
        let after = self.sql("UPDATE svc_jobs SET due_at = ").bind(due.put());
        let after = after.text(", failures = ").bind(failures.to_sql());
        let after = after.text(", ran_at = ").bind(run.at.to_sql()).text(", took = ").bind(took);
        let after = after.text(", outcome = ").bind(run.outcome.to_sql()).text(", note = ").bind(note);
        // What it knew is not needed any more, and may be personal.
        let after = if due.is_none() { after.text(", body = ''") } else { after };
        let after = after.text(" WHERE id = ").bind(job.id.uuid()).text(" AND claim = ").bind(job.claim);
        match after.execute(&self.conn).await? {
            0 => Err(StoreError::Conflict),
            _ => Ok(()),
        }
    }
}

fn look(row: &QueryResult) -> Result<JobLook, StoreError> {
    let at: Option<Timestamp> = Cell::take(row, "ran_at")?;
    let outcome: Option<Outcome> = Cell::take(row, "outcome")?;
    let run = at.zip(outcome).map(|(at, outcome)| {
        let took: Option<i64> = Cell::take(row, "took")?;
        let took = Duration::from_micros(took.and_then(|took| u64::try_from(took).ok()).unwrap_or(0));
        let note: Option<String> = Cell::take(row, "note")?;
        Ok::<_, StoreError>(Run { at, took, outcome, note: note.unwrap_or_default() })
    });
    Ok(JobLook {
        id: Cell::take(row, "id")?,
        kind: Cell::take(row, "kind")?,
        company: Cell::take(row, "company_id")?,
        due: Cell::take(row, "due_at")?,
        failures: Cell::take(row, "failures")?,
        run: run.transpose()?,
    })
}
