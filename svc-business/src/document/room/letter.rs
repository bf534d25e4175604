//! What guests are sent by mail: jobs beside the commit.

use serde::{Deserialize, Serialize};
use svc_core::error::StoreError;
use svc_core::id::{DataRoomGrantId, JobId, TypedId as _};
use svc_core::refused::Refused;

use super::{DataRoomGrant, GrantRefused};
use crate::job::{Job, JobKind, NewJob};
use crate::ports::DynDocumentUnit;
use crate::record::Home;

/// Mails to guests of one company that wait at most.
const MOST_WAITING: u32 = 1_000;

/// What a guest is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuestMailKind {
    /// The link: `invitation`
    Invitation,
    /// The link again, with another end: `extension`
    Extension,
    /// A code: `code`
    Code,
}

svc_core::wire_names!(GuestMailKind { Invitation = "invitation", Extension = "extension", Code = "code" });

/// What a job of the kind `guest_mail` is to send. It names no secret: the worker makes the link or the code anew with
/// [`CeremonyKey`](crate::link::key::CeremonyKey).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestLetter {
    /// The grant.
    pub grant: DataRoomGrantId,
    /// What: the name of a [`GuestMailKind`].
    kind: String,
}

impl GuestLetter {
    /// What is sent; `None` for a kind that this version does not know.
    #[must_use]
    pub fn kind(&self) -> Option<GuestMailKind> {
        self.kind.parse().ok()
    }
}

/// The letter of a claimed job.
///
/// # Errors
/// When it was written by another version of the service that knows it otherwise.
pub fn guest_letter_of(job: &Job) -> Result<GuestLetter, StoreError> {
    serde_json::from_str(&job.body).map_err(StoreError::backend)
}

/// Puts a mail beside the commit, unless too many wait.
pub(super) async fn put(
    home: &Home<'_, DynDocumentUnit>,
    grant: &DataRoomGrant,
    kind: GuestMailKind,
) -> Result<(), Refused<GrantRefused>> {
    let jobs = home.unit.jobs();
    if jobs.waiting(grant.company, JobKind::GuestMail, MOST_WAITING).await? >= MOST_WAITING {
        return Err(Refused::Own(GrantRefused::TooManyMails));
    }
    let id = JobId::generate(home.call.now, home.call.random);
    let letter = GuestLetter { grant: grant.id, kind: kind.name().to_owned() };
    let body = serde_json::to_string(&letter).map_err(StoreError::backend)?;
    let (company, due) = (grant.company, home.call.now);
    let job = NewJob { id, kind: JobKind::GuestMail, key: id.to_string(), company: Some(company), body, due };
    Ok(jobs.put(&[job]).await?)
}
