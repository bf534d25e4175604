//! What went wrong with a supplier or a supplier document, and what to do.

pub(super) const NOT_APPROVED: (&str, &str) = (
    "The document waits to be judged, so it is neither paid nor voided.",
    "Approve it with POST /supplier-documents/{id}/approve first.",
);
pub(super) const DOCUMENT_APPROVED: (&str, &str) = (
    "What an approved document says never changes.",
    "Void it, or write down the credit note of the supplier.",
);
pub(super) const DOCUMENT_REJECTED: (&str, &str) = (
    "A rejected document does not count and does not change.",
    "Take it up again with POST /supplier-documents/{id}/reopen.",
);
pub(super) const DOCUMENT_VOIDED: (&str, &str) = (
    "A voided document does not change; its register number stays used.",
    "Write it down anew, if it was right.",
);
pub(super) const DOCUMENT_HAS_PAYMENTS: (&str, &str) = (
    "A document that is paid in whole or in part is not voided.",
    "Take the payments back first, or write down a credit note.",
);
pub(super) const DUPLICATE_DOCUMENT: (&str, &str) = (
    "The supplier has a document with this number and year, as `existingId` says.",
    "Work with that one, or send `allowDuplicate` if both are meant.",
);
pub(super) const REGISTER_EXHAUSTED: (&str, &str) = (
    "The book of received documents of the year has given its last number.",
    "Book the document in another year.",
);
pub(super) const SUPPLIER_EXISTS: (&str, &str) = (
    "The contact is a supplier of the company already, as `existingId` says.",
    "Change that supplier with PATCH /suppliers/{id}.",
);
pub(super) const SUPPLIER_CODE_TAKEN: (&str, &str) = (
    "Another supplier of the company has this code of the company's own.",
    "Use another code, or look for that supplier with the filter `code`.",
);
pub(super) const ASSET_IN_USE: (&str, &str) = (
    "A line of the document became a fixed asset that is in use or has left.",
    "Let the asset leave with POST …/dispose, and write down a credit note.",
);
