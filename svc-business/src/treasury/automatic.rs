//! The job that reconciles the movements of an import of which the service is sure, for companies that want it to.
//!
//! It goes through the pending movements of the import in the order of their ids, a part of them with each job, and puts the
//! job of the next part. Each movement is a unit of work of its own, so a job that is run twice finds those that are
//! reconciled no longer pending.

use svc_core::error::StoreError;
use svc_core::id::BankMovementId;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use super::chosen::Chosen;
use super::proposal::{Sources, propose, sure};
use super::reconcile::Outcome;
use super::{open, reconcile};
use crate::bank::import::reconciling;
use crate::bank::movement::BankMovement;
use crate::job::Job;
use crate::ports::BusinessStorage;

/// Movements of one job.
const PART: u32 = 200;

/// What a job did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// The pending movements that it looked at.
    pub looked_at: u32,
    /// How many of them it reconciled.
    pub reconciled: u32,
}

/// Reconciles the movements of a claimed job of which the service is sure. Emits what [`reconcile()`] emits.
///
/// Account numbers and tax ids are no clues: who sees them masked would find them out by what is reconciled.
///
/// # Errors
/// When the store failed; what was done stays done.
pub async fn run(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    job: &Job,
) -> Result<Reconciled, StoreError> {
    let (import, after) = reconciling::place(job)?;
    let mut done = Reconciled::default();
    let Some(import) = storage.bank_imports().find(call.scope, import).await? else { return Ok(done) };
    let pending = storage.bank_movements().pending_of(import.company, import.id, after, PART).await?;
    for movement in &pending {
        done.looked_at = done.looked_at.saturating_add(1);
        if is_reconciled(storage, call, movement).await? {
            done.reconciled = done.reconciled.saturating_add(1);
        }
    }
    if done.looked_at == PART {
        let last = pending.last().map(|movement| movement.id);
        let unit = storage.begin().await?;
        reconciling::put(&*unit, call, (import.company, import.id), last).await?;
        unit.commit().await?;
    }
    Ok(done)
}

async fn is_reconciled(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    movement: &BankMovement,
) -> Result<bool, StoreError> {
    let facts = Sources::committed(storage).facts(call.scope, call.access, movement).await?;
    let Some(chosen) = sure(&propose(movement, &facts)).map(Chosen::from) else { return Ok(false) };
    match settle(storage, call, movement.id, &chosen).await {
        Ok(()) => Ok(true),
        // It stays as it is, for a person to see: changed meanwhile, closed, in a locked period, or beyond what can be counted.
        Err(Refused::Store(error @ (StoreError::Busy | StoreError::Undone | StoreError::Backend(_)))) => {
            Err(error)
        }
        Err(_) => Ok(false),
    }
}

async fn settle(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    id: BankMovementId,
    chosen: &Chosen,
) -> Outcome<()> {
    let unit = storage.begin().await?;
    let opened = open(&*unit, call, id, &Expected::Any, chosen).await.map_err(Refused::widen)?;
    reconcile(&*unit, opened, chosen).await?;
    unit.commit().await?;
    Ok(())
}
