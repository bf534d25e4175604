//! What went wrong with a sales document, and what to do.

pub(super) const NOT_ISSUED: (&str, &str) = (
    "The document is a draft, which is not owed, sent or put right.",
    "Issue it with POST /billing/{id}/issue first.",
);
pub(super) const INVOICE_ISSUED: (&str, &str) = (
    "What an issued document says never changes, and it is never erased.",
    "Put it right with POST /billing/{id}/rectify, or void it.",
);
pub(super) const INVOICE_VOIDED: (&str, &str) = (
    "The document was voided; its number stays used.",
    "Make another one with POST /billing/{id}/duplicate.",
);
pub(super) const INVOICE_HAS_PAYMENTS: (&str, &str) =
    ("The document is paid in whole or in part.", "Take the payments back first, or rectify the document.");
pub(super) const INVOICE_RECTIFIED: (&str, &str) =
    ("A rectifying document refers to it, so it stays.", "Void the rectifying document first.");
pub(super) const OVER_RECTIFIED: (&str, &str) = (
    "The rectifying documents together would take away more than the original has.",
    "Look at `rectifiedByIds` of the original, and lower the lines.",
);
pub(super) const NOT_RECTIFIABLE: (&str, &str) =
    ("Proformas and quotes count for nothing, so nothing is put right.", "Duplicate or void it.");
pub(super) const PAID_EXCEEDS_NEW_TOTAL: (&str, &str) = (
    "A substitution takes the payments over, and they are more than it comes to.",
    "Rectify by differences, and pay the rest back.",
);
pub(super) const NOT_PAYABLE: (&str, &str) = (
    "Proformas and quotes are no invoices.",
    "Convert it with POST /billing/{id}/convert, and issue the invoice.",
);
pub(super) const PAYMENT_RECONCILED: (&str, &str) =
    ("The payment came from a reconciliation.", "Undo the reconciliation.");
pub(super) const PAYMENT_AUTOMATIC: (&str, &str) =
    ("A rectifying document made it, as `existingId` says.", "Void that document.");
pub(super) const NOT_CONVERTIBLE: (&str, &str) = (
    "A quote becomes an invoice, a simplified one or a proforma, and a proforma one of the first two.",
    "Duplicate it, or name another `docType`.",
);
pub(super) const NOT_A_QUOTE: (&str, &str) =
    ("Only quotes are accepted and rejected.", "There is nothing to do.");
pub(super) const QUOTE_ACCEPTED: (&str, &str) =
    ("The customer accepted the quote.", "Convert it with POST /billing/{id}/convert.");
pub(super) const QUOTE_REJECTED: (&str, &str) =
    ("The customer rejected the quote.", "Make another one with POST /billing/{id}/duplicate.");
pub(super) const QUOTE_EXPIRED: (&str, &str) =
    ("The quote had no answer until it was due.", "Make another one with POST /billing/{id}/duplicate.");
pub(super) const SERIES_EXHAUSTED: (&str, &str) =
    ("The last number of the series was given.", "Make another series, and name it by `seriesId`.");
pub(super) const RETURN_SUBMITTED: (&str, &str) =
    ("The tax of the document was declared in a return that was submitted.", "Rectify the document instead.");
pub(super) const NUMBER_TAKEN: (&str, &str) = (
    "Another series of the company has given the same number.",
    "Change the pattern of the series, so that its numbers differ.",
);
pub(super) const SERIES_CODE_TAKEN: (&str, &str) =
    ("Another series of the company has this code.", "Use another code, or that series.");
pub(super) const NOT_EXCHANGEABLE: (&str, &str) = (
    "The format demands something that the document lacks, or has no place for what is in it.",
    "Look at `detail`; complete the company or the contact, or take the PDF.",
);

pub(super) const TOO_MANY_MAILS: (&str, &str) = (
    "500 mails of the company wait to be sent: a mail server takes none at present, or many were sent at once.",
    "Wait until `lastSend` of some has changed, and send the rest then.",
);
