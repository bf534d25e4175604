//! What people say of a movement.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::wire::Form;
use svc_core::wire_patch;
use thiserror::Error;

use super::{BankMovement, BankMovementStatus, MovementState};
use crate::party::paragraphs;
use crate::record::Opened;

wire_patch! {
    /// What people say of a movement: nothing of what the bank said changes.
    pub struct BankMovementPatch as "BankMovement"
        computed [
            bankAccountId, importId, bookingDate, valueDate, amount, currency, balanceAfter, description,
            counterpartyName, counterpartyIban, references, bankCode
        ]
    {
        /// `ignored` for one that stands for nothing to be booked, `pending` to take that back.
        [kept] status: Patch<BankMovementStatus>,
        /// What there is to know about it, at most 10,000 characters; null clears it.
        notes: Patch<String> => Form::text(0, 10_000).example("Paid twice by mistake"),
    }
}

/// The movement is reconciled: its reconciliation is undone first.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the movement is reconciled: undo the reconciliation first")]
pub struct MovementReconciled;

/// Applies a merge patch. One that changes nothing keeps the version; the catalogue has no event for one that does.
///
/// # Errors
/// [`Refused`] with [`MovementReconciled`] where `status` changes; nothing was changed.
pub async fn update(
    opened: Opened<'_, BankMovement>,
    input: BankMovementPatch,
) -> Result<BankMovement, Refused<MovementReconciled>> {
    let mut validator = Validator::new();
    let mut after = opened.before.clone();
    let present = opened.before.state.status();
    match input.status {
        Patch::Absent => {}
        Patch::Null => validator.fail("status", "required", "expected pending or ignored"),
        Patch::Value(same) if same == present => {}
        Patch::Value(BankMovementStatus::Pending) => after.state = MovementState::Pending,
        Patch::Value(BankMovementStatus::Ignored) => after.state = MovementState::Ignored,
        Patch::Value(BankMovementStatus::Reconciled) => {
            let message = "a movement is reconciled by saying what it stands for";
            validator.fail("status", "not_allowed", message);
        }
    }
    paragraphs(&mut validator, "notes", input.notes, &mut after.notes);
    validator.finish()?;
    if after.state.status() != present && present == BankMovementStatus::Reconciled {
        return Err(Refused::Own(MovementReconciled));
    }
    opened.save(after).await
}
