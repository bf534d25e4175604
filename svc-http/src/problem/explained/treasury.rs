//! What went wrong with a bank account, an import or a movement, and what to do.

pub(super) const BANK_ACCOUNT_ARCHIVED: (&str, &str) = (
    "The bank account is archived, and an archived account takes no movements.",
    "Bring it back with PATCH {\"status\": \"active\"}, or name another account.",
);
pub(super) const MOVEMENT_RECONCILED: (&str, &str) = (
    "The movement is reconciled: what it paid is booked, so it is neither pending nor ignored, and an entry whose line it \
     stands against is not reversed.",
    "Undo the reconciliation with DELETE /treasury/bank-movements/{id}/reconciliation first.",
);
pub(super) const MOVEMENT_NOT_PENDING: (&str, &str) = (
    "The movement is ignored, or it is known what it stands for.",
    "Take ignoring back with PATCH {\"status\": \"pending\"}, or undo the reconciliation first.",
);
pub(super) const MOVEMENT_NOT_RECONCILED: (&str, &str) =
    ("The movement is pending or ignored, so there is no reconciliation to undo.", "There is nothing to do.");
pub(super) const TOO_MANY_IMPORTS: (&str, &str) = (
    "As many large statements of the company as may wait are being processed.",
    "Wait until one of GET /treasury/imports?status=processing is completed, and send the file again.",
);
