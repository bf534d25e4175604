//! One job of the kind `mail`, from its claim to its end.

use std::sync::Arc;

use svc_business::job::{Job, Outcome, Run};
use svc_business::mail::{Mail, MailError, Mailer};
use svc_business::ports::BusinessStorage;
use svc_business::sales::document::{SalesDocument, SendStatus};
use svc_business::sales::operations::{Letter, SalesRefused, sent};
use svc_core::error::StoreError;
use svc_core::pii::Reveal;
use svc_core::refused::Refused;
use svc_core::rerun;
use svc_core::resource::ResourceReader;
use svc_core::unit::CallContext;

use crate::compose;
use svc_einvoice::sold::LoadedSale;

/// How often a mail is handed over before it has failed: over about two days, by the waits of `svc_business::job`.
pub const ATTEMPTS: u32 = 9;

/// How a run of a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// What became of the mail is written down, and the job has ended with it.
    Settled(Outcome),
    /// No mail server took it, for this reason; the job is to be put off.
    Later(String),
}

/// Does a claimed job: writes the mail, hands it over, and settles how that ended in one unit of work with the job's end.
///
/// # Errors
/// When the store failed, or another worker has the job by now; the mail may have gone out all the same.
pub async fn carry_out(
    storage: &dyn BusinessStorage,
    mailer: &dyn Mailer,
    call: CallContext<'_>,
    job: &Job,
    run: impl Fn(Outcome, String) -> Run + Send + Sync,
) -> Result<Ended, StoreError> {
    let (status, run) = match attempt(storage, mailer, call, job).await? {
        Ok(()) => (SendStatus::Accepted, run(Outcome::Done, "a mail server took the mail".to_owned())),
        Err(MailError::ForNow(why)) if job.failures.saturating_add(1) < ATTEMPTS => {
            return Ok(Ended::Later(why));
        }
        Err(MailError::ForNow(why) | MailError::ForGood(why)) => {
            (SendStatus::Failed, run(Outcome::Refused, format!("the mail was given up: {why}")))
        }
    };
    // The mail is gone: what the store undid must not send it once more.
    match rerun::until_done(|| settle(storage, call, job, (status, &run))).await {
        Ok(()) => Ok(Ended::Settled(run.outcome)),
        Err(Refused::Store(error)) => Err(error),
        Err(refused) => Err(StoreError::backend(refused.to_string())),
    }
}

async fn settle(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    job: &Job,
    ended: (SendStatus, &Run),
) -> Result<(), Refused<SalesRefused>> {
    let unit = storage.begin().await?;
    sent(unit.as_ref(), call, job, ended).await?;
    Ok(unit.commit().await?)
}

/// Hands a mail over; the run that ends its job, or why the job is to be put off.
pub(crate) async fn hand_over(
    mailer: &dyn Mailer,
    mail: &Mail,
    job: &Job,
    run: impl Fn(Outcome, String) -> Run,
) -> Result<Run, String> {
    match mailer.send(mail).await {
        Ok(()) => Ok(run(Outcome::Done, "a mail server took the mail".to_owned())),
        Err(MailError::ForNow(why)) if job.failures.saturating_add(1) < ATTEMPTS => Err(why),
        Err(MailError::ForNow(why) | MailError::ForGood(why)) => {
            Ok(run(Outcome::Refused, format!("the mail was given up: {why}")))
        }
    }
}

/// Ends a job of a mail that nothing else is written down for.
pub(crate) async fn end(storage: &dyn BusinessStorage, job: &Job, run: Run) -> Result<Ended, StoreError> {
    let settle = async || {
        let unit = storage.begin().await?;
        unit.jobs().end(job, &run).await?;
        unit.commit().await
    };
    rerun::until_done(settle).await?;
    Ok(Ended::Settled(run.outcome))
}

/// Hands the mail over once.
async fn attempt(
    storage: &dyn BusinessStorage,
    mailer: &dyn Mailer,
    call: CallContext<'_>,
    job: &Job,
) -> Result<Result<(), MailError>, StoreError> {
    let letter = Letter::of(job)?;
    let document =
        ResourceReader::<SalesDocument>::find(storage.sales(), call.scope, letter.document).await?;
    let company = storage.accounts().find(call.scope, job.home()?).await?;
    let Some((document, company)) = document.zip(company) else {
        return Err(StoreError::backend("the document of a mail is missing"));
    };
    let today = company.local_date(call.now);
    let sale = Arc::new(LoadedSale::read(storage, call.scope, document, company).await?);
    let (id, proof) = (job.id.to_string(), revealed());
    let composed = tokio::task::spawn_blocking(move || compose(id, &sale, &letter, today, proof)).await;
    let mail = match composed {
        Ok(Ok(mail)) => mail,
        Ok(Err(error)) => return Ok(Err(MailError::ForGood(error.to_string()))),
        Err(_) => return Err(StoreError::backend("the mail was not written")),
    };
    Ok(mailer.send(&mail).await)
}

#[expect(clippy::disallowed_methods, reason = "the client that asked for the mail sees personal data")]
fn revealed() -> Reveal {
    Reveal::granted()
}
