//! The table of jobs: what is done later, without a request.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the table.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, TEMPLATES)
}

const TEMPLATES: &[&str] = &[
    "CREATE TABLE svc_jobs (
        id {uuid} NOT NULL PRIMARY KEY,
        company_id {uuid} REFERENCES svc_accounts (id),
        kind text NOT NULL,
        key {key} NOT NULL,
        body text NOT NULL,
        due_at {big},
        claim {big} NOT NULL,
        failures {big} NOT NULL,
        ran_at {big},
        took {big},
        outcome text,
        note text,
        CHECK ((ran_at IS NULL) = (outcome IS NULL))
    ){hot}",
    "CREATE UNIQUE INDEX svc_jobs_key ON svc_jobs (kind, key)",
    "CREATE INDEX svc_jobs_due ON svc_jobs (kind, due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX svc_jobs_of_company ON svc_jobs (company_id, kind) WHERE due_at IS NOT NULL",
    "CREATE INDEX svc_jobs_ran ON svc_jobs (ran_at) WHERE ran_at IS NOT NULL",
    "CREATE INDEX svc_jobs_troubled ON svc_jobs (ran_at) WHERE outcome <> 'done'",
    "CREATE INDEX svc_jobs_ended ON svc_jobs (ran_at) WHERE due_at IS NULL",
];
