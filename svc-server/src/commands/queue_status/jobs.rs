//! What is done later without a request: what is due, what is in trouble, and what ran last.

use serde::Serialize;
use svc_business::job::{JobLook, JobOverview};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, JobId};

use super::report::Age;
use crate::output::{self, Output, Tone};

/// The jobs at one instant; each list is as long as `--top` says at most.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Jobs {
    /// Those that are due, the longest due first.
    pub(super) due: Vec<Job>,
    /// Those that failed or were refused when they ran last, the newest first.
    pub(super) troubled: Vec<Job>,
    /// Those that ran last, the newest first.
    pub(super) latest: Vec<Job>,
}

/// One of them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Job {
    id: JobId,
    kind: &'static str,
    account_id: Option<AccountId>,
    /// When it is due; null once it has ended.
    due: Option<Timestamp>,
    /// How often it failed in a row.
    failures: u32,
    /// Its last run; null before the first.
    last_run: Option<LastRun>,
}

/// The last run of one.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LastRun {
    at: Timestamp,
    milliseconds: u128,
    /// `done`, `refused` or `failed`.
    outcome: &'static str,
    note: String,
}

impl Jobs {
    pub(super) fn of(overview: JobOverview) -> Self {
        let all = |jobs: Vec<JobLook>| jobs.into_iter().map(Job::of).collect();
        Self { due: all(overview.due), troubled: all(overview.troubled), latest: all(overview.latest) }
    }
}

impl Job {
    fn of(look: JobLook) -> Self {
        let last_run = look.run.map(|run| LastRun {
            at: run.at,
            milliseconds: run.took.as_millis(),
            outcome: run.outcome.name(),
            note: run.note,
        });
        let JobLook { id, kind, company, due, failures, .. } = look;
        Self { id, kind: kind.name(), account_id: company, due, failures, last_run }
    }

    /// The company of the job behind a word; nothing for what the service does for a person.
    fn whose(&self, word: &str) -> String {
        self.account_id.map(|company| format!("{word}{company}")).unwrap_or_default()
    }
}

/// What is due, and how the last run ended.
pub(super) fn line(jobs: &Jobs, at: Timestamp, output: Output) -> String {
    let due = match jobs.due.first().and_then(|job| job.due) {
        None => "none is due".to_owned(),
        Some(since) => {
            format!(
                "{} due, the first for {}",
                jobs.due.len(),
                super::screen::age(Age::of(since, at), output)
            )
        }
    };
    let last = jobs.latest.first().and_then(|job| Some((job, job.last_run.as_ref()?)));
    let last = last.map(|(job, run)| format!("; last {}{}: {}", job.kind, job.whose(" of "), run.note));
    format!("{due}{}", last.unwrap_or_default())
}

/// A table of those in trouble; empty when there are none.
pub(super) fn table(jobs: &Jobs, output: Output) -> String {
    if jobs.troubled.is_empty() {
        return String::new();
    }
    let row = |job: &Job| {
        let (at, outcome, note) = match &job.last_run {
            Some(run) => (run.at.to_string(), run.outcome, run.note.clone()),
            None => Default::default(),
        };
        let again = job.due.map_or_else(|| "-".to_owned(), |due| due.to_string());
        let outcome = output.tone(Tone::Bad, outcome);
        vec![job.kind.to_owned(), job.whose(""), outcome, at, job.failures.to_string(), again, note]
    };
    let headings = ["job", "company", "outcome", "ran at", "failures", "again at", "why"];
    output::grid(&headings, jobs.troubled.iter().map(row).collect())
}
