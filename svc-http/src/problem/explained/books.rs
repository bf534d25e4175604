//! What went wrong in the books, and what to do.

pub(super) const BOOKS_IN_USE: (&str, &str) = (
    "The books have entries, fixed assets, or accounts that were added or changed.",
    "Keep `chart` and `accountCodeLength`; accounts can be added, renamed and archived.",
);
pub(super) const LEDGER_ACCOUNT_IN_USE: (&str, &str) = (
    "Entries, the default accounts of the books, or a bank account that it counts, use the account.",
    "Name another default account, or another `accountCode` of the bank account, first; one with entries is archived with PATCH {\"status\": \"archived\"}.",
);
pub(super) const ACCOUNT_CODE_TAKEN: (&str, &str) = (
    "Another account of the ledger has this code.",
    "Look for it with the filter `prefix`, or use another code.",
);
pub(super) const ENTRY_POSTED: (&str, &str) = (
    "A posted entry never changes what it moves and is never erased.",
    "Reverse it with POST …/reverse, and write what is right.",
);
pub(super) const ENTRY_NOT_MANUAL: (&str, &str) = (
    "Something else made the entry, as its `source` says, and keeps it; or it closes or opens a fiscal year.",
    "Change that record instead; open the year again with POST /books/{companyId}/fiscal-years/{id}/reopen.",
);
pub(super) const ENTRY_NOT_POSTED: (&str, &str) =
    ("The entry is a draft, which does not count yet.", "Change or delete it.");
pub(super) const ENTRY_REVERSED: (&str, &str) = (
    "Another entry undoes it; `existingId` names that one.",
    "Nothing is left to do; reverse the reversal to have the effect again.",
);
pub(super) const NO_FISCAL_YEAR: (&str, &str) = (
    "No fiscal year of the company has the date.",
    "Add one with POST /books/{companyId}/fiscal-years, or use another date.",
);
pub(super) const FISCAL_YEAR_CLOSED: (&str, &str) = (
    "The fiscal year is closed: nothing is posted in it.",
    "Use a date in an open year, or open the year again with POST …/reopen.",
);
pub(super) const FISCAL_YEAR_OPEN: (&str, &str) = ("The fiscal year is open.", "Nothing is left to do.");
pub(super) const FISCAL_YEAR_FULL: (&str, &str) =
    ("The fiscal year has given its last number.", "Post in another one.");
pub(super) const DRAFT_ENTRIES: (&str, &str) = (
    "Drafts are dated in days that would be closed, or locked for ever.",
    "List them with `status=draft`, and post or delete each.",
);
pub(super) const PREVIOUS_YEAR_OPEN: (&str, &str) =
    ("The fiscal year before it is open: its balances are not carried over yet.", "Close that year first.");
pub(super) const NEXT_YEAR_CLOSED: (&str, &str) =
    ("The fiscal year after it is closed with what this one carried over.", "Open that year again first.");
pub(super) const NO_RESULT_ACCOUNT: (&str, &str) = (
    "The books name no account for the result of a year.",
    "Name one: PATCH /books/{companyId} {\"defaultAccounts\": {\"result\": \"1290000\"}}.",
);
pub(super) const PERIOD_LOCKED: (&str, &str) = (
    "The date is not after `lockDate` and `hardLockDate` of the books.",
    "Use a later date, or move `lockDate` back where the period may change.",
);
pub(super) const TAX_PERIOD_SUBMITTED: (&str, &str) = (
    "The tax return of the period was submitted, so its tax tags do not change.",
    "Date the tags after `taxLockDate`.",
);
pub(super) const SUM_OUT_OF_RANGE: (&str, &str) = (
    "With this change, or in these days, the amounts of an account or a contact would add up to more than the service counts.",
    "Look for an amount with too many digits, and reverse its entry; ask a report for fewer days.",
);
pub(super) const ENTRY_UNBALANCED: (&str, &str) = (
    "The debits of the entry are not its credits.",
    "Correct the lines; a draft may be unbalanced until it is posted.",
);
pub(super) const TAX_TAGS_MISMATCH: (&str, &str) = (
    "What the tax tags count is not what the lines move on accounts of VAT.",
    "Add a tag for each movement of VAT, or correct its quota.",
);
