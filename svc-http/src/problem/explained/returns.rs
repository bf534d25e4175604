//! What went wrong with a tax return, and what to do.

pub(super) const FILED: (&str, &str) = (
    "The return was submitted or accepted: what was filed stays as it was filed.",
    "Make a complementary, substitute or rectifying return with `correctsId`; one that was refused is prepared again after its outcome.",
);
pub(super) const NOT_PREPARED: (&str, &str) = (
    "The return has no figures, or was filed already.",
    "Prepare it with POST /tax/returns/{id}/prepare, look at its boxes, and then go on.",
);
pub(super) const NOT_SUBMITTED: (&str, &str) = (
    "The return was not submitted, or its outcome is written down already.",
    "Say with POST /tax/returns/{id}/submit that it was filed, and write down the outcome then.",
);
pub(super) const NOT_OVER: (&str, &str) = (
    "The period of the return lasts, so that its figures may still change.",
    "Wait for the end of the period, or send `allowEarly` to see what it comes to by now.",
);
pub(super) const STALE: (&str, &str) = (
    "Entries that the return counts were posted since it was prepared.",
    "Prepare it again, look at what changed, and submit it then.",
);
pub(super) const INCOMPLETE: (&str, &str) = (
    "The return declares parties, and of some the tax id is missing, or an entry names no contact at all.",
    "Look at `warnings` with `blocking`, complete the contacts, and prepare the return again.",
);
pub(super) const PAID: (&str, &str) = (
    "A movement of a bank account stands for the return, so it is neither refused nor taken the place of.",
    "Undo the reconciliation of each movement in its `payments`, and say it again then.",
);
pub(super) const TOO_LARGE: (&str, &str) = (
    "The period has more tax tags than one return is computed from.",
    "File by months instead of quarters, or compute the return from an export of the journal.",
);
pub(super) const NOT_COMPUTABLE: (&str, &str) = (
    "The books hold what the form cannot: another currency than euros, or sums that no box has room for.",
    "Look at the detail: it names the box or the posting. Returns are those of companies whose base currency is the euro.",
);
