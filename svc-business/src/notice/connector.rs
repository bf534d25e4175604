//! Notices that come from elsewhere.

use async_trait::async_trait;
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::NoticeId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use super::{Notice, NoticeRequest, create};
use crate::ports::BusinessStorage;
use crate::record;

/// Notices that are looked at in one round.
pub const MOST_TAKEN: usize = 100;

/// A source of notices: an electronic address of a public body, a mailbox, a folder.
///
/// # Implementing this port
/// A notice that waits is told of again until it was settled, so one is taken at least once: settling comes behind the commit, and
/// what was recorded before is found by its source and reference ([`Taken::Known`]). Both calls may be made by several
/// processes at a time.
#[async_trait]
pub trait NoticeConnector: Send + Sync {
    /// What waits, the oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the source cannot be read; the next round tries again.
    async fn waiting(&self, limit: usize) -> Result<Vec<Waiting>, StoreError>;

    /// Is told what became of one, which then waits no longer.
    ///
    /// # Errors
    /// When the source does not take that; the notice is told of again.
    async fn settle(&self, name: &str, taken: &Taken) -> Result<(), StoreError>;
}

/// A notice that waits.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// What the source calls it.
    pub name: String,
    /// The notice, with its `companyId`; or why it cannot be read.
    pub notice: Result<NoticeRequest, String>,
}

/// What became of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It was recorded.
    Recorded(NoticeId),
    /// The company has it already.
    Known,
    /// It cannot be recorded: a sentence for the person who looks after the source.
    Refused(String),
}

/// What a round came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Recorded.
    pub recorded: usize,
    /// Known before.
    pub known: usize,
    /// Refused.
    pub refused: usize,
}

/// Takes what waits in a source: each notice in a unit of work of its own, and settled once that has committed. Emits
/// `notice.create` for each one that is new.
///
/// # Errors
/// When a store or the source failed; what was taken before is kept.
pub async fn take(
    storage: &dyn BusinessStorage,
    connector: &dyn NoticeConnector,
    call: CallContext<'_>,
) -> Result<Round, StoreError> {
    let (mut round, mut failed) = (Round::default(), None);
    for Waiting { name, notice } in connector.waiting(MOST_TAKEN).await? {
        let taken = match notice {
            Ok(notice) => match record(storage, call, &notice).await {
                Ok(taken) => taken,
                // It waits on, and keeps no other from being taken.
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            },
            Err(unreadable) => Taken::Refused(unreadable),
        };
        // What was recorded is known in the next round, and keeps no other from being taken.
        if let Err(error) = connector.settle(&name, &taken).await {
            failed = Some(error);
        }
        let counted = match taken {
            Taken::Recorded(_) => &mut round.recorded,
            Taken::Known => &mut round.known,
            Taken::Refused(_) => &mut round.refused,
        };
        *counted = counted.saturating_add(1);
    }
    failed.map_or(Ok(round), Err)
}

async fn record(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    notice: &NoticeRequest,
) -> Result<Taken, StoreError> {
    let Some(company) = notice.company_id else {
        return Ok(Taken::Refused("companyId must be present".to_owned()));
    };
    let unit = storage.begin().await?;
    let home = match record::home::<Notice>(unit.as_ref(), call, company).await {
        Ok(home) => home,
        Err(refused) => return told(refused),
    };
    let recorded = match create(home, notice).await {
        Ok(recorded) => recorded.id,
        Err(refused) => return told(refused),
    };
    // A storage may find only here that the company has it.
    match unit.commit().await {
        Ok(()) => Ok(Taken::Recorded(recorded)),
        Err(error) => told(error.into()),
    }
}

/// A refusal for a person; a store that failed is no refusal.
fn told(refused: Refused) -> Result<Taken, StoreError> {
    match refused {
        Refused::Store(error) => Err(error),
        Refused::Taken { .. } => Ok(Taken::Known),
        Refused::Invalid(findings) => Ok(Taken::Refused(sentence(&findings))),
        refused @ (Refused::UnknownCompany
        | Refused::NotFound
        | Refused::VersionConflict { .. }
        | Refused::Merged { .. }
        | Refused::CompanyClosed(_)
        | Refused::Own(_)) => Ok(Taken::Refused(refused.to_string())),
    }
}

fn sentence(ValidationErrors(findings): &ValidationErrors) -> String {
    let each: Vec<_> = findings.iter().map(|one| format!("{} {}", one.field, one.message)).collect();
    each.join("; ")
}
