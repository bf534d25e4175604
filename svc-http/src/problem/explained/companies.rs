//! What went wrong with a company, a group or the people of a company, and what to do.

pub(super) const ACCOUNT_DEACTIVATED: (&str, &str) = (
    "The company is deactivated: its records can be read and not changed.",
    "Reactivate it with POST /accounts/{id}/reactivate.",
);
pub(super) const ACCOUNT_MERGED: (&str, &str) = (
    "The company was merged into another one, for ever.",
    "Work with the company that its `mergedIntoId` names.",
);
pub(super) const ACCOUNT_ACTIVE: (&str, &str) = ("The company is active already.", "There is nothing to do.");
pub(super) const CANNOT_DEACTIVATE_PRIMARY: (&str, &str) = (
    "A token cannot deactivate its own primary account.",
    "Use a token of another primary account that reaches the company.",
);
pub(super) const ACTIVE_SUBSIDIARY: (&str, &str) = (
    "The company has an active subsidiary.",
    "Deactivate its subsidiaries first, or give them another parent.",
);
pub(super) const COUNTRY_CONFLICT: (&str, &str) =
    ("The two companies are in different countries.", "Companies of different countries cannot be merged.");
pub(super) const RECORDS_CLASH: (&str, &str) = (
    "Both companies have a record with the same value where a company has it once; `errors` names the member.",
    "Change the value in one of them, or merge the two records first.",
);
pub(super) const CANNOT_MERGE_PRIMARY: (&str, &str) = (
    "The company to absorb is the primary account of the token that asks.",
    "Use a token of another primary account, such as the survivor's.",
);
pub(super) const ACCOUNT_HAS_BOOKS: (&str, &str) = (
    "The company that was to be absorbed has journal entries, sales or supplier documents, fixed assets, or submitted tax returns, and books are not merged.",
    "Keep both companies, or merge the other way round.",
);
pub(super) const BASE_CURRENCY_FROZEN: (&str, &str) = (
    "Something is posted, issued or approved in the base currency that the company has.",
    "Keep the currency; entries name another one by `currency` and `fxRate`.",
);
pub(super) const ACCOUNT_IN_GROUP: (&str, &str) = (
    "The company is in a group already, and a company is in one at most.",
    "Take it out of its group first.",
);
pub(super) const PARENT_STAYS: (&str, &str) = (
    "The company at the top of a group cannot leave it while other companies are in it.",
    "Let the others leave first, or dissolve the group.",
);
pub(super) const LAST_HOLDER: (&str, &str) = (
    "The company would have no active holder.",
    "Make another member holder first, or let the operator name one.",
);
pub(super) const NOT_INVITED: (&str, &str) = (
    "The invitation was answered, was withdrawn or has expired.",
    "Look at `currentState`, and ask for a new invitation.",
);
pub(super) const OFFER_LAPSED: (&str, &str) = (
    "Who invited may no longer offer that role.",
    "Ask a holder or administrator of the company for a new invitation.",
);
pub(super) const TOO_MANY_INVITATIONS: (&str, &str) =
    ("The company has as many open invitations as it may have.", "Wait for answers, or withdraw some.");
