//! Does what is to be done later: claims jobs that are due, runs them, and writes down what came of it.
//!
//! Each kind of job has a loop of its own, so that one never waits behind another. A claim lasts longer than a run may
//! take, so a job is one server's at a time; a server that dies leaves it due again.

use std::time::{Duration, Instant};

use svc_business::bank::import;
use svc_business::daily;
use svc_business::document::file;
use svc_business::job::{Job, JobKind, Outcome, Run, wait_after};
use svc_business::ports::BusinessStorage;
use svc_business::treasury;
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, chain};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_pades::PlatformSealer;
use svc_signing::{SealKey, Sealing};
use tokio_util::sync::CancellationToken;

use super::wait;
use crate::metric;
use crate::wiring::Wiring;

/// From one look at what is due to the next.
const EVERY: Duration = Duration::from_secs(2);
/// How long a run may take.
const LIMIT: Duration = Duration::from_mins(4);
/// How long a claim lasts: longer than a run and the writing down of it.
const CLAIM: Duration = Duration::from_mins(5);

/// Runs the jobs of a kind until shutdown; the one at work is finished.
pub(crate) async fn run(wiring: Wiring, kind: JobKind, asked: CancellationToken) {
    let storage = wiring.store.database.business();
    while wait(EVERY, &asked).await {
        loop {
            match step(&wiring, &*storage, kind).await {
                Ok(true) if !asked.is_cancelled() => {}
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(kind = kind.name(), "jobs cannot be done: {}", chain(&error));
                    break;
                }
            }
        }
    }
}

/// Does one job that is due; answers whether there was one.
async fn step(wiring: &Wiring, storage: &dyn BusinessStorage, kind: JobKind) -> Result<bool, StoreError> {
    let now = wiring.clock.now();
    // Most looks find nothing, and a look alone takes no transaction.
    if storage.jobs().next_due(kind).await?.is_none_or(|due| due > now) {
        return Ok(false);
    }
    let unit = storage.begin().await?;
    let claimed = unit.jobs().claim(kind, now, now.plus(CLAIM), 1).await?;
    unit.commit().await?;
    let Some(job) = claimed.into_iter().next() else { return Ok(false) };
    let run = Runs { at: now, began: Instant::now() };
    let done = tokio::time::timeout(LIMIT, carry_out(wiring, storage, &job, &run)).await;
    let ended = done.unwrap_or_else(|_| Err(StoreError::backend("it took longer than a run may")));
    let outcome = match ended {
        Ok(Ended::Settled(outcome)) => outcome,
        Ok(Ended::Again(due, run)) => write_down(storage, &job, Some(due), &run).await?,
        Ok(Ended::Over(run)) => write_down(storage, &job, None, &run).await?,
        Err(error) => {
            let run = run.ended(Outcome::Failed, chain(&error));
            write_down(storage, &job, Some(later(&job, now)), &run).await?
        }
    };
    metric::job(kind, outcome, run.began.elapsed());
    Ok(true)
}

/// What is known of a run before it ends.
struct Runs {
    at: Timestamp,
    began: Instant,
}

impl Runs {
    fn ended(&self, outcome: Outcome, note: String) -> Run {
        Run { at: self.at, took: self.began.elapsed(), outcome, note }
    }
}

/// What became of a job.
enum Ended {
    /// It wrote that down itself, with its work.
    Settled(Outcome),
    /// It is due again at this instant.
    Again(Timestamp, Run),
    /// It has ended.
    Over(Run),
}

async fn write_down(
    storage: &dyn BusinessStorage,
    job: &Job,
    due: Option<Timestamp>,
    run: &Run,
) -> Result<Outcome, StoreError> {
    if run.outcome != Outcome::Done {
        let (kind, outcome) = (job.kind.name(), run.outcome.name());
        let company = job.company.map(tracing::field::display);
        tracing::warn!(job = %job.id, kind, company, outcome, "{}", run.note);
    }
    let unit = storage.begin().await?;
    match due {
        Some(due) => unit.jobs().put_off(job, due, run).await?,
        None => unit.jobs().end(job, run).await?,
    }
    unit.commit().await?;
    Ok(run.outcome)
}

#[expect(clippy::disallowed_methods, reason = "a job names its company itself")]
async fn carry_out(
    wiring: &Wiring,
    storage: &dyn BusinessStorage,
    job: &Job,
    run: &Runs,
) -> Result<Ended, StoreError> {
    let scope = Scope::system("a job names its company itself");
    let actor = Actor::service(job.kind.name());
    let (now, random) = (run.at, &*wiring.random);
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random };
    match job.kind {
        JobKind::CompanyDay => {
            let (report, due) = daily::run(storage, call, job).await?;
            let run = run.ended(report.outcome(), report.to_string());
            Ok(match due {
                Some(due) => Ended::Again(due, run),
                None => Ended::Over(run),
            })
        }
        JobKind::Mail => {
            let ended = |outcome, note| run.ended(outcome, note);
            let ended = svc_mail::carry_out(storage, &*wiring.mailer, call, job, ended).await?;
            Ok(mailed(ended, job, run))
        }
        JobKind::InvitationMail => {
            let (ended, with) = (|outcome, note| run.ended(outcome, note), (job, &*wiring.public_url));
            let done = svc_mail::carry_out_invitation(storage, &*wiring.mailer, call, with, ended).await?;
            Ok(mailed(done, job, run))
        }
        JobKind::PersonMail => {
            let ended = |outcome, note| run.ended(outcome, note);
            let done = svc_mail::carry_out_person(storage, &*wiring.mailer, wiring, job, ended).await?;
            Ok(mailed(done, job, run))
        }
        JobKind::EnvelopeMail => {
            let ended = |outcome, note| run.ended(outcome, note);
            let keys = wiring.store.keys.ceremony_keys();
            let with = svc_mail::Ceremonies { keys: &keys, public_url: &wiring.public_url };
            let stores = (storage, &*wiring.contents);
            let ended =
                svc_mail::carry_out_envelope(stores, &*wiring.mailer, call, (job, with), ended).await?;
            Ok(mailed(ended, job, run))
        }
        JobKind::GuestMail => {
            let ended = |outcome, note| run.ended(outcome, note);
            let keys = wiring.store.keys.ceremony_keys();
            let with = svc_mail::Ceremonies { keys: &keys, public_url: &wiring.public_url };
            let ended = svc_mail::carry_out_guest(storage, &*wiring.mailer, call, (job, with), ended).await?;
            Ok(mailed(ended, job, run))
        }
        JobKind::EnvelopeSeal => {
            let (id, key) = wiring.store.keys.seal_key();
            let sealer = wiring.sealer.clone().filter(|sealer| covers(sealer, now));
            let platform = sealer.map(|sealer| sealer as _);
            let with = Sealing { contents: &*wiring.contents, key: &SealKey::new(id, *key), platform };
            let ended = |outcome, note| run.ended(outcome, note);
            Ok(Ended::Settled(svc_signing::carry_out(storage, with, call, job, ended).await?))
        }
        JobKind::BankImport => {
            let note = take_statement(storage, call, job).await?;
            Ok(Ended::Over(run.ended(Outcome::Done, note)))
        }
        JobKind::BankReconcile => {
            let done = treasury::automatic::run(storage, call, job).await?;
            let note = format!("{} of {} movements were reconciled", done.reconciled, done.looked_at);
            Ok(Ended::Over(run.ended(Outcome::Done, note)))
        }
        JobKind::FileContents => {
            let (report, due) = file::collect(storage, &*wiring.contents, call, job).await?;
            Ok(Ended::Again(due, run.ended(Outcome::Done, report.to_string())))
        }
    }
}

/// What came of a mail: one that was not taken yet is tried again later.
fn mailed(ended: svc_mail::Ended, job: &Job, run: &Runs) -> Ended {
    match ended {
        svc_mail::Ended::Settled(outcome) => Ended::Settled(outcome),
        svc_mail::Ended::Later(why) => Ended::Again(later(job, run.at), run.ended(Outcome::Failed, why)),
    }
}

/// Imports the statement that a job is about; says what that brought.
async fn take_statement(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    job: &Job,
) -> Result<String, StoreError> {
    let Some(waiting) = import::waiting(storage, job).await? else {
        return Ok("imported already".to_owned());
    };
    let read = tokio::task::spawn_blocking(move || waiting.read()).await.map_err(StoreError::backend)??;
    let import = import::proceed(storage, call, &read).await?;
    Ok(format!("{} of {} movements were new", import.created, import.lines))
}

/// Whether the certificate seals at this instant: one that has ended would make a signature that readers of PDF call broken.
fn covers(sealer: &PlatformSealer, now: Timestamp) -> bool {
    let covers = sealer.covers(now);
    if !covers {
        let until = sealer.until().map(tracing::field::display);
        tracing::warn!(
            until,
            "the certificate of SVC_SEAL__CERT is not valid now: signed files get the seal without it"
        );
    }
    covers
}

/// When a job that failed is due again.
fn later(job: &Job, now: Timestamp) -> Timestamp {
    now.plus(wait_after(job.failures.saturating_add(1)))
}
