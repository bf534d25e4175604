//! Sending a document by mail: a job beside the commit, and what becomes of it.

use serde::{Deserialize, Serialize};
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{JobId, SalesDocumentId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use super::SalesRefused;
use crate::catalogue::event;
use crate::job::{Job, JobKind, NewJob, Run};
use crate::party::Email;
use crate::ports::DynSalesUnit;
use crate::record::{Opened, alone};
use crate::sales::document::{SalesDocument, SendStatus};
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::SendRequest;
use crate::sales::rules::read_send;

/// Mails of one company that wait at most.
pub const MOST_WAITING: u32 = 500;

/// What a job of the kind `mail` is to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The document.
    pub document: SalesDocumentId,
    to: Vec<String>,
    cc: Vec<String>,
    /// That of the client; one is made when it gave none.
    pub subject: Option<String>,
    /// That of the client; one is made when it gave none.
    pub message: Option<String>,
    /// Whether the PDF goes with it.
    pub attach_pdf: bool,
    /// Whether the electronic invoice goes with it.
    pub attach_xml: bool,
}

impl Letter {
    /// That of a claimed job.
    ///
    /// # Errors
    /// When it was written by another version of the service that knows it otherwise.
    pub fn of(job: &Job) -> Result<Self, StoreError> {
        serde_json::from_str(&job.body).map_err(StoreError::backend)
    }

    /// Recipients.
    #[must_use]
    pub fn to(&self) -> Vec<Email> {
        parsed(&self.to)
    }

    /// Recipients of copies.
    #[must_use]
    pub fn cc(&self) -> Vec<Email> {
        parsed(&self.cc)
    }
}

fn parsed(addresses: &[String]) -> Vec<Email> {
    // They were parsed when the job was put.
    addresses.iter().filter_map(|address| address.parse().ok()).collect()
}

/// Puts a mail with an issued document beside the commit; the document stays as it is until a mail server has taken the
/// mail. Emits nothing yet.
///
/// # Errors
/// [`Refused`] with [`SalesRefused`]; nothing is sent.
pub async fn send(
    opened: Opened<'_, SalesDocument>,
    request: &SendRequest,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let (home, document) = (&opened.home, &opened.before);
    document.judge_send().map_err(|wrong| Refused::Own(wrong.into()))?;
    let sending = read_send(request)?;
    if sending.attach_xml && !document.is_fiscal() {
        let message = "a quote or proforma is no invoice, so there is none to attach";
        return Err(ValidationErrors::one("attachXml", "not_allowed", message).into());
    }
    // A file shows what a response masks, and its recipient is whom the client names.
    if (sending.attach_pdf || sending.attach_xml) && !home.call.access.is_full() {
        return Err(Refused::Own(SalesRefused::FilesMasked));
    }
    let (company, jobs) = (home.company.id, home.unit.jobs());
    if jobs.waiting(company, JobKind::Mail, MOST_WAITING).await? >= MOST_WAITING {
        return Err(Refused::Own(SalesRefused::TooManyMails));
    }
    let texts = |addresses: &[Email]| addresses.iter().map(|address| address.as_str().to_owned()).collect();
    let letter = Letter {
        document: document.id,
        to: texts(&sending.to),
        cc: texts(&sending.cc),
        subject: sending.subject,
        message: sending.message,
        attach_pdf: sending.attach_pdf,
        attach_xml: sending.attach_xml,
    };
    let id = JobId::generate(home.call.now, home.call.random);
    let body = serde_json::to_string(&letter).map_err(StoreError::backend)?;
    let job = NewJob {
        id,
        kind: JobKind::Mail,
        key: id.to_string(),
        company: Some(company),
        body,
        due: home.call.now,
    };
    jobs.put(&[job]).await?;
    Ok(opened.before)
}

/// Writes down how the mail of a claimed job ended, and ends the job with it. Emits invoice.send when a mail server
/// took it; the catalogue has no event for one that failed for good.
///
/// # Errors
/// [`Refused`]; nothing was changed, and the job is not ended.
pub async fn sent(
    unit: &DynSalesUnit,
    call: CallContext<'_>,
    job: &Job,
    (status, run): (SendStatus, &Run),
) -> Result<(), Refused<SalesRefused>> {
    let letter = Letter::of(job)?;
    let opened = alone::<SalesDocument>(unit, call, letter.document, &[], &Expected::Any).await;
    match opened {
        Ok(opened) => settle(opened, &letter, status).await?,
        // The company was closed meanwhile: its documents stay as they are.
        Err(Refused::CompanyClosed(_)) => {}
        Err(refused) => return Err(Refused::widen(refused)),
    }
    Ok(unit.jobs().end(job, run).await?)
}

async fn settle(
    opened: Opened<'_, SalesDocument>,
    letter: &Letter,
    status: SendStatus,
) -> Result<(), Refused<SalesRefused>> {
    let after = opened.before.clone().sent(status, opened.home.call.now);
    let after = opened.replace(after.map_err(|wrong| Refused::Own(wrong.into()))?).await?;
    let kind = match status {
        SendStatus::Accepted => {
            opened.home.publish(const { event("invoice.send") }, &after, None).await?;
            HistoryKind::Sent
        }
        SendStatus::Failed => HistoryKind::SendFailed,
    };
    let recipients: String = letter.to.join(", ").chars().take(200).collect();
    note(&opened.home, &after, kind, Some(recipients)).await?;
    Ok(())
}
