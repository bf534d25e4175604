//! What a job is, and what is known of its runs.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, JobId, TypedId as _};
use svc_core::unit::CallContext;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobKind {
    /// What a company needs once a day: `company_day`
    CompanyDay,
    /// A document that is sent by mail: `mail`
    Mail,
    /// An invitation to become a member of a company: `invitation_mail`
    InvitationMail,
    /// What the service sends to a person for itself: `person_mail`
    PersonMail,
    /// What a signer of an envelope is sent: `envelope_mail`
    EnvelopeMail,
    /// What a guest of a data room is sent: `guest_mail`
    GuestMail,
    /// The files of an envelope that everyone signed are sealed: `envelope_seal`
    EnvelopeSeal,
    /// A statement of a bank with many movements: `bank_import`
    BankImport,
    /// The movements of an import that the service may reconcile by itself: `bank_reconcile`
    BankReconcile,
    /// The contents that are kept for a company and that no file names: `file_contents`
    FileContents,
}

svc_core::wire_names!(JobKind {
    CompanyDay = "company_day",
    Mail = "mail",
    InvitationMail = "invitation_mail",
    PersonMail = "person_mail",
    EnvelopeMail = "envelope_mail",
    GuestMail = "guest_mail",
    EnvelopeSeal = "envelope_seal",
    BankImport = "bank_import",
    BankReconcile = "bank_reconcile",
    FileContents = "file_contents",
});

/// A job that is to be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// Tells it from others of its kind: 1 to 100 characters.
    pub key: String,
    /// The company that it is about; none for what the service does for a person.
    pub company: Option<AccountId>,
    /// What it needs to know, as its kind reads it.
    pub body: String,
    /// When it is to be done.
    pub due: Timestamp,
}

impl NewJob {
    /// The job of this kind that a company has one of, due at once.
    #[must_use]
    pub fn of_company(call: CallContext<'_>, kind: JobKind, company: AccountId) -> Self {
        Self {
            id: JobId::generate(call.now, call.random),
            kind,
            key: company.to_string(),
            company: Some(company),
            body: String::new(),
            due: call.now,
        }
    }
}

/// A job that a worker has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// The company that it is about; none for what the service does for a person.
    pub company: Option<AccountId>,
    /// What it needs to know.
    pub body: String,
    /// How often it failed in a row.
    pub failures: u32,
    /// The claim, which counts them: with another one the job is another worker's.
    pub claim: i64,
}

impl Job {
    /// The company of a job of a kind that each has one.
    ///
    /// # Errors
    /// When the job has none, which is a fault of the store.
    pub fn home(&self) -> Result<AccountId, StoreError> {
        self.company.ok_or_else(|| StoreError::backend("a job of a company names none"))
    }
}

/// One run of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// How it ended.
    pub outcome: Outcome,
    /// What it did, or why not: a sentence for the operator, without personal data, at most 500 characters.
    pub note: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what there was to do: `done`
    Done,
    /// The rules refuse a part of it, which trying again does not change: `refused`
    Refused,
    /// Something failed, and it is tried again: `failed`
    Failed,
}

svc_core::wire_names!(Outcome { Done = "done", Refused = "refused", Failed = "failed" });

/// A job as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobLook {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// The company that it is about; none for what the service does for a person.
    pub company: Option<AccountId>,
    /// When it is due; `None` once it has ended.
    pub due: Option<Timestamp>,
    /// How often it failed in a row.
    pub failures: u32,
    /// Its last run; `None` before the first.
    pub run: Option<Run>,
}

/// The jobs of a store at one instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobOverview {
    /// Those that are due, those first that are due first.
    pub due: Vec<JobLook>,
    /// Those that failed or were refused last, the newest first.
    pub troubled: Vec<JobLook>,
    /// Those that ran last, the newest first.
    pub latest: Vec<JobLook>,
}
