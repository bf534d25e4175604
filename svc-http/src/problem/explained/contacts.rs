//! What went wrong with a contact or a case, and what to do.

pub(super) const RECORD_MERGED: (&str, &str) = (
    "The record was merged into another one and is a tombstone that does not change.",
    "Work with the record that `existingId` names.",
);
pub(super) const CASE_CLOSED: (&str, &str) = (
    "The case is closed, and a closed case does not change.",
    "Reopen it with POST /cases/{id}/reopen, and change it then.",
);
pub(super) const CASE_NOT_CLOSED: (&str, &str) =
    ("The case is not closed, so it cannot be reopened.", "There is nothing to do.");
pub(super) const CONTACT_ARCHIVED: (&str, &str) = (
    "The contact is archived, and only active ones are merged.",
    "Bring it back with PATCH {\"status\": \"active\"} first.",
);
pub(super) const CONTACT_IN_USE: (&str, &str) = (
    "Something refers to the contact, so it is not erased.",
    "Archive it with PATCH {\"status\": \"archived\"}, or blank it with POST /contacts/{id}/anonymize.",
);
pub(super) const DUPLICATE_TAX_ID: (&str, &str) = (
    "An active contact of the company has this tax id.",
    "Change that contact in the place of a new one, or send `allowDuplicate` if both are meant.",
);
pub(super) const TAX_ID_CONFLICT: (&str, &str) = (
    "Both records have a tax id, and not the same one.",
    "Correct one of them first; for contacts `force` keeps the survivor's.",
);
