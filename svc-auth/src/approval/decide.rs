//! What a person sees and decides in the client area.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{ApprovalId, TokenId};
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::{Approval, Refusal, Stage};
use crate::ports::{OauthStorage, OauthUnit};
use crate::session::SignedIn;

/// Approvals that a person is shown at once.
const SHOWN: u32 = 100;

/// Why a decision comes to nothing.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DecideError {
    /// It has ended: the assistant has to ask anew.
    #[error("the approval has ended")]
    Ended,
    /// It was decided otherwise, or used, before.
    #[error("the approval was {0} before")]
    Already(Stage),
}

/// What assistants of this person wait for, the newest first: a hundred at most.
///
/// # Errors
/// [`StoreError`].
pub async fn open(
    storage: &dyn OauthStorage,
    person: &SignedIn,
    now: Timestamp,
) -> Result<Vec<Approval>, StoreError> {
    storage.approvals().open_of_person(person.person().id, now, SHOWN).await
}

/// Approves or declines a call. The same decision again is no other one.
///
/// # Errors
/// [`Refused::NotFound`] for what another person is asked, [`DecideError`], [`Refused::Store`]; nothing was decided.
pub async fn decide(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    person: &SignedIn,
    id: ApprovalId,
    approves: bool,
) -> Result<Approval, Refused<DecideError>> {
    let unit = storage.begin().await?;
    let found = unit.approvals().approval(id).await?;
    let before = found.filter(|found| found.person == person.person().id).ok_or(Refused::NotFound)?;
    let (stage, action) = if approves {
        (Stage::Approved, Action::ApprovalApprove)
    } else {
        (Stage::Declined, Action::ApprovalDecline)
    };
    let after = match before.decided(approves, call.now) {
        Ok(after) => after,
        Err(Refusal::At(present)) if present == stage => return Ok(before),
        Err(Refusal::At(present)) => return Err(Refused::Own(DecideError::Already(present))),
        Err(Refusal::Ended) => return Err(Refused::Own(DecideError::Ended)),
    };
    unit.approvals().advance(&before, &after).await?;
    note(&*unit, call, action, (&before, &after)).await?;
    unit.commit().await?;
    Ok(after)
}

/// An approval as the audit log shows it: the call is named by its digest, since what it says is in the records of what
/// it does.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    tool: &'a str,
    credential_id: TokenId,
    digest: String,
    state: &'static str,
}

impl<'a> View<'a> {
    fn of(approval: &'a Approval) -> Self {
        let Approval { tool, credential, call, stage, .. } = approval;
        Self { tool, credential_id: *credential, digest: call.to_string(), state: stage.name() }
    }
}

/// Writes a decision into the log of the company.
pub(super) async fn note(
    unit: &dyn OauthUnit,
    call: CallContext<'_>,
    action: Action,
    (before, after): (&Approval, &Approval),
) -> Result<(), StoreError> {
    let views = (Some(&View::of(before)), Some(&View::of(after)));
    unit.audit().append(&[Entry::new(call, after.company, action, after.id, views)]).await
}
