//! What an assistant's call finds, asks for and answers.

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ApprovalId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::decide::note;
use super::{Approval, CallDigest, LIFE, Refusal, Shown, Stage, Used};
use crate::ports::{OauthStorage, OauthUnit};
use crate::principal::Principal;

/// Approvals that one credential may wait for at once.
pub const MOST_OPEN: u32 = 20;

/// How far the approval of a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is none: [`ask`] for one.
    Unasked,
    /// The person has not decided.
    Waits(Approval),
    /// The person has declined.
    Declined(Approval),
    /// The call is let through, to be done once under this key.
    LetThrough(ApprovalId),
}

/// Why an approval is not asked for.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AskError {
    /// The credential acts for no person.
    #[error("the credential acts for no person who could approve it")]
    NoPerson,
    /// [`MOST_OPEN`] wait already.
    #[error("{MOST_OPEN} calls wait for approval already: have them decided, or wait five minutes")]
    TooMany,
}

/// Uses the approval of this call if the person has given it, and tells how far it is otherwise.
///
/// # Errors
/// [`StoreError`]; nothing was used.
pub async fn present(
    storage: &dyn OauthStorage,
    caller: &Principal,
    digest: CallDigest,
    now: Timestamp,
) -> Result<Standing, StoreError> {
    let Some(found) = known(storage, caller, digest, now).await? else { return Ok(Standing::Unasked) };
    match step(&found, found.used(now)) {
        Step::Stands(standing) => Ok(standing),
        Step::Write(_) => take(storage, None, (caller, digest), found.id, |found| found.used(now)).await,
    }
}

/// Takes what the person said in the client: the call came again with the approval that it was told of.
///
/// An approval of another credential or for another call is none: [`Standing::Unasked`].
///
/// # Errors
/// [`StoreError`]; nothing was changed.
pub async fn answer(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    about: (&Principal, CallDigest),
    id: ApprovalId,
    accepts: bool,
) -> Result<Standing, StoreError> {
    let said = |found: &Approval| {
        if accepts { found.accepted(call.now) } else { found.decided(false, call.now).map(Used::First) }
    };
    take(storage, Some(call), about, id, said).await
}

/// The approval of this call that has not ended, as it stands.
///
/// # Errors
/// [`StoreError`].
pub async fn known(
    storage: &dyn OauthStorage,
    caller: &Principal,
    digest: CallDigest,
    now: Timestamp,
) -> Result<Option<Approval>, StoreError> {
    storage.approvals().for_call(caller.token, digest, now).await
}

/// Ends an approval before its time: what it showed has changed, or the call that it let through was refused. Answers whether
/// it did: one that has come to another stage since is left alone.
///
/// # Errors
/// [`StoreError`]; nothing was ended.
pub async fn end(
    storage: &dyn OauthStorage,
    approval: &Approval,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let unit = storage.begin().await?;
    match unit.approvals().advance(approval, &approval.ended(now)).await {
        Ok(()) => unit.commit().await.map(|()| true),
        Err(StoreError::Conflict) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Asks the person of the credential to approve this call; another request that asked for the same at the same time is
/// joined.
///
/// # Errors
/// [`AskError`], [`Refused::Store`]; nothing was asked.
pub async fn ask(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    (caller, digest): (&Principal, CallDigest),
    (company, tool): (AccountId, &str),
    shown: Vec<Shown>,
) -> Result<Approval, Refused<AskError>> {
    let person = caller.creator.ok_or(Refused::Own(AskError::NoPerson))?;
    let approval = Approval {
        id: ApprovalId::generate(call.now, call.random),
        company,
        person,
        credential: caller.token,
        tool: tool.to_owned(),
        call: digest,
        shown,
        stage: Stage::Asked,
        asked_at: call.now,
        until: call.now.plus(LIFE),
    };
    let unit = storage.begin().await?;
    if unit.approvals().open_of_credential(caller.token, call.now).await? >= u64::from(MOST_OPEN) {
        return Err(Refused::Own(AskError::TooMany));
    }
    match unit.approvals().add(&approval, call.now).await {
        Ok(()) => {
            unit.commit().await?;
            Ok(approval)
        }
        Err(StoreError::Taken { .. }) => {
            drop(unit);
            Ok(known(storage, caller, digest, call.now).await?.ok_or(StoreError::Busy)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// What a step of the machine means for the call.
enum Step {
    Stands(Standing),
    Write(Approval),
}

fn step(before: &Approval, after: Result<Used, Refusal>) -> Step {
    match after {
        Ok(Used::First(after)) => Step::Write(after),
        Ok(Used::Again) => Step::Stands(Standing::LetThrough(before.id)),
        Err(Refusal::Ended) => Step::Stands(Standing::Unasked),
        Err(Refusal::At(Stage::Asked)) => Step::Stands(Standing::Waits(before.clone())),
        // What was used is left as it is, and this call is not made.
        Err(Refusal::At(Stage::Declined | Stage::Approved | Stage::Used)) => {
            Step::Stands(Standing::Declined(before.clone()))
        }
    }
}

/// Takes a step with the approval as a unit of work sees it; what the person said in the client is noted in the log of
/// the company.
async fn take(
    storage: &dyn OauthStorage,
    said: Option<CallContext<'_>>,
    (caller, digest): (&Principal, CallDigest),
    id: ApprovalId,
    taken: impl Fn(&Approval) -> Result<Used, Refusal> + Send,
) -> Result<Standing, StoreError> {
    // A second look tells what another request with the same call did in between.
    for _ in 0..2 {
        let unit = storage.begin().await?;
        let found = unit.approvals().approval(id).await?;
        let own = |found: &Approval| found.credential == caller.token && found.call == digest;
        let Some(before) = found.filter(own) else { return Ok(Standing::Unasked) };
        let after = match step(&before, taken(&before)) {
            Step::Stands(standing) => return Ok(standing),
            Step::Write(after) => after,
        };
        match write(unit, said, &before, &after).await {
            Ok(()) if after.stage == Stage::Declined => return Ok(Standing::Declined(after)),
            Ok(()) => return Ok(Standing::LetThrough(after.id)),
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
    }
    Err(StoreError::Busy)
}

async fn write(
    unit: Box<dyn OauthUnit>,
    said: Option<CallContext<'_>>,
    before: &Approval,
    after: &Approval,
) -> Result<(), StoreError> {
    unit.approvals().advance(before, after).await?;
    let decides = before.stage == Stage::Asked || after.stage == Stage::Declined;
    if let Some(call) = said.filter(|_| decides) {
        let action =
            if after.stage == Stage::Declined { Action::ApprovalDecline } else { Action::ApprovalApprove };
        note(&*unit, call, action, (before, after)).await?;
    }
    unit.commit().await
}
