//! What lies behind each code, and what to do about it: the page that the `type` of a problem leads to.

mod assets;
mod books;
mod documents;
mod notices;
mod purchases;
mod returns;
mod sales;
mod signature;
#[cfg(test)]
mod tests;
mod treasury;

use super::Code;

impl Code {
    /// When a request meets it.
    pub(crate) const fn cause(self) -> &'static str {
        self.explained().0
    }

    /// What helps.
    pub(crate) const fn cure(self) -> &'static str {
        self.explained().1
    }

    #[expect(clippy::too_many_lines, reason = "a table: one line for each code")]
    const fn explained(self) -> (&'static str, &'static str) {
        match self {
            Self::MalformedJson => (
                "The body is not one JSON value, or its transfer broke off.",
                "Send JSON in UTF-8; `errors` tells the line and the column where reading stopped.",
            ),
            Self::InvalidParameter => (
                "A query parameter or a header is unknown to the route, comes twice or has a value that it cannot have.",
                "Look at `errors`: it names the parameter and what is expected. The route's parameters are in the reference.",
            ),
            Self::PageTooLarge => (
                "The records of the page come to more than 4 MiB: they have long notes or much metadata.",
                "Ask for fewer records a page by a smaller `limit`, and for more pages.",
            ),
            Self::TokenInUrl => (
                "The URL contains a token. URLs end up in logs and histories, so the token counts as known to others.",
                "Rotate or revoke the token, and send the new one in the header `Authorization: Bearer`.",
            ),
            Self::PersonalDataFilter => (
                "The request filters by a member that the token sees masked; the answers would tell its value.",
                "Use a token with the personal-data option, or filter by something else.",
            ),
            Self::TokenMissing => (
                "The request has no `Authorization` header, and the route takes no other credential that was sent.",
                "Send `Authorization: Bearer` with the token's value.",
            ),
            Self::TokenInvalid => (
                "The credential is not of the Bearer scheme, has a typing error, is unknown or was replaced by a rotation.",
                "Compare the value with the one that was shown when the token was created or rotated; if it is lost, rotate the token.",
            ),
            Self::TokenDisabled => (
                "A holder or administrator switched the token off.",
                "Switch it on in the client area; its configuration is as before.",
            ),
            Self::TokenRevoked => (
                "The token was revoked, which is for ever; secret scanning revokes tokens that were found in public.",
                "Create another token.",
            ),
            Self::TokenExpired => (
                "The token's expiry date has passed.",
                "Create another token; the expiry date of a token cannot be moved.",
            ),
            Self::CreatorLostRole => (
                "The person who created the token is no longer holder or administrator of its primary account.",
                "Let a holder or administrator of the company create another token.",
            ),
            Self::SessionMissing => (
                "The route is for signed-in people, and the request has no session cookie.",
                "Sign in with POST /session.",
            ),
            Self::SessionInvalid => (
                "The session has ended: signed out, idle for too long, at its end, or the password was changed elsewhere.",
                "Sign in again with POST /session.",
            ),
            Self::SignatureInvalid => (
                "The report has no signature, one that is older than five minutes, or one of other bytes or another key.",
                "Sign the exact body that is sent with the key that the operator gave you, and check the clock.",
            ),
            Self::SignInFailed => (
                "No person with this e-mail address and this password can sign in.",
                "Check both; the operator can set a new password.",
            ),
            Self::CodeRejected => (
                "The code is of another time or of another device, or it was used before.",
                "Give the next code of the device, or a recovery code; the operator can remove a second factor.",
            ),
            Self::SecondFactorState => (
                "The second factor is on already, or it is not on.",
                "Look at the page of the second factor, and act on what it says.",
            ),
            Self::HttpsRequired => (
                "The request came in the clear, or by a proxy that the service does not know.",
                "Use https, and replace a token that was sent in the clear. Operators list their proxies in `trusted_proxies`.",
            ),
            Self::AccountTokenNotAccepted => (
                "The route or the action belongs to the client area and takes no token.",
                "Do it signed in, in the client area.",
            ),
            Self::PersonalDataWithheld => (
                "What is to be read, sent or imported is a file with personal data, which cannot be masked in it.",
                "Use a token with the personal-data option, or send a mail without files.",
            ),
            Self::MissingPermission => (
                "No permission of the token covers what the request needs.",
                "Grant the token what `missing_permissions` lists, or use another token; `required_permission` is the route's.",
            ),
            Self::IpNotAllowed => (
                "The token has a list of allowed addresses, and the request came from another one.",
                "Send from a listed address, or list the outbound address of your proxy or NAT.",
            ),
            Self::IpRestrictedToken => (
                "The token has a list of allowed addresses; what an assistant calls comes from the service itself.",
                "Use a token without a list, or connect the assistant by OAuth.",
            ),
            Self::CsrfRejected => (
                "The request changes something and has a session cookie, but not what only a page of this service knows.",
                "Send the `csrfToken` of GET /session in `X-CSRF-Token`, from a page of the service itself.",
            ),
            Self::RoleRequired => (
                "The person is a member, but not a holder or administrator where the action needs one.",
                "Ask a holder or administrator to do it or to change the role.",
            ),
            Self::NotAdministered => (
                "The token reaches a company that the person neither holds nor administers.",
                "Let its creator change it. It can be switched off and revoked by anyone who administers its primary account.",
            ),
            Self::SubsidiaryOutOfReach => (
                "The token does not name the group of the parent company whole, so it would not reach the company it makes.",
                "Put the parent into a group in the client area, and use a token that names the group in `groupIds`.",
            ),
            Self::NotFound => (
                "The path names nothing, or something that is out of the credential's reach; both look the same.",
                "Check the path and the id; GET /auth/whoami lists the companies that a token reaches.",
            ),
            Self::MethodNotAllowed => (
                "The path exists, but not with this method.",
                "Use one of the methods that the header `Allow` lists.",
            ),
            Self::NotAcceptable => (
                "The `Accept` header leaves out the media type that the route answers with.",
                "Leave the header out, or add `application/json` or `*/*`.",
            ),
            Self::RequestTimeout => (
                "The body did not arrive within the time that the service waits for it.",
                "Send the request again, in one go.",
            ),
            Self::AccountDeactivated => (
                "The company is deactivated: its records can be read and not changed.",
                "Reactivate it with POST /accounts/{id}/reactivate.",
            ),
            Self::AccountMerged => (
                "The company was merged into another one, for ever.",
                "Work with the company that its `mergedIntoId` names.",
            ),
            Self::AccountActive => ("The company is active already.", "There is nothing to do."),
            Self::CannotDeactivatePrimary => (
                "A token cannot deactivate its own primary account.",
                "Use a token of another primary account that reaches the company.",
            ),
            Self::ActiveSubsidiary => (
                "The company has an active subsidiary.",
                "Deactivate its subsidiaries first, or give them another parent.",
            ),
            Self::OpenEnvelope => signature::OPEN,
            Self::CountryConflict => (
                "The two companies are in different countries.",
                "Companies of different countries cannot be merged.",
            ),
            Self::RecordsClash => (
                "Both companies have a record with the same value where a company has it once; `errors` names the member.",
                "Change the value in one of them, or merge the two records first.",
            ),
            Self::CannotMergePrimary => (
                "The company to absorb is the primary account of the token that asks.",
                "Use a token of another primary account, such as the survivor's.",
            ),
            Self::RecordMerged => (
                "The record was merged into another one and is a tombstone that does not change.",
                "Work with the record that `existingId` names.",
            ),
            Self::CaseClosed => (
                "The case is closed, and a closed case does not change.",
                "Reopen it with POST /cases/{id}/reopen, and change it then.",
            ),
            Self::CaseNotClosed => {
                ("The case is not closed, so it cannot be reopened.", "There is nothing to do.")
            }
            Self::ReturnFiled => returns::FILED,
            Self::ReturnNotPrepared => returns::NOT_PREPARED,
            Self::ReturnNotSubmitted => returns::NOT_SUBMITTED,
            Self::PeriodNotOver => returns::NOT_OVER,
            Self::ReturnStale => returns::STALE,
            Self::ReturnIncomplete => returns::INCOMPLETE,
            Self::ReturnPaid => returns::PAID,
            Self::ReturnTooLarge => returns::TOO_LARGE,
            Self::ReturnNotComputable => returns::NOT_COMPUTABLE,
            Self::NoticeNotAvailable => notices::NOT_AVAILABLE,
            Self::NotANotification => notices::NOT_A_NOTIFICATION,
            Self::RangeNotSatisfiable => documents::NO_SUCH_BYTES,
            Self::FileNotStampable => documents::NOT_STAMPABLE,
            Self::FileNotDownloadable => documents::NOT_DOWNLOADABLE,
            Self::DataRoomFileExpired => documents::EXPIRED,
            Self::EnvelopeClosed => signature::CLOSED,
            Self::EnvelopeNotDraft => signature::NOT_DRAFT,
            Self::EnvelopeNotSent => signature::NOT_SENT,
            Self::EnvelopeSuperseded => signature::SUPERSEDED,
            Self::EnvelopeCompleted => signature::COMPLETED,
            Self::NotSealed => signature::NOT_SEALED,
            Self::SignerDone => signature::SIGNER_DONE,
            Self::TooManySigners => signature::TOO_MANY_SIGNERS,
            Self::RemindedLately => signature::REMINDED_LATELY,
            Self::TrailFull => signature::TRAIL_FULL,
            Self::FileInUse => documents::IN_USE,
            Self::FileDeleted => documents::DELETED,
            Self::FileFull => documents::FULL,
            Self::UploadLinkUsed => documents::LINK_USED,
            Self::FolderNotEmpty => documents::NOT_EMPTY,
            Self::ContactArchived => (
                "The contact is archived, and only active ones are merged.",
                "Bring it back with PATCH {\"status\": \"active\"} first.",
            ),
            Self::ContactInUse => (
                "Something refers to the contact, so it is not erased.",
                "Archive it with PATCH {\"status\": \"archived\"}, or blank it with POST /contacts/{id}/anonymize.",
            ),
            Self::DuplicateTaxId => (
                "An active contact of the company has this tax id.",
                "Change that contact in the place of a new one, or send `allowDuplicate` if both are meant.",
            ),
            Self::AccountHasBooks => (
                "The company that was to be absorbed has entries or fixed assets, and books are not merged.",
                "Keep both companies, or merge the other way round.",
            ),
            Self::BaseCurrencyFrozen => (
                "Something is posted in the books, in the base currency that the company has.",
                "Keep the currency; entries name another one by `currency` and `fxRate`.",
            ),
            Self::BooksInUse => books::BOOKS_IN_USE,
            Self::LedgerAccountInUse => books::LEDGER_ACCOUNT_IN_USE,
            Self::AccountCodeTaken => books::ACCOUNT_CODE_TAKEN,
            Self::NotIssued => sales::NOT_ISSUED,
            Self::InvoiceIssued => sales::INVOICE_ISSUED,
            Self::InvoiceVoided => sales::INVOICE_VOIDED,
            Self::InvoiceHasPayments => sales::INVOICE_HAS_PAYMENTS,
            Self::TooManyMails => sales::TOO_MANY_MAILS,
            Self::InvoiceRectified => sales::INVOICE_RECTIFIED,
            Self::OverRectified => sales::OVER_RECTIFIED,
            Self::NotRectifiable => sales::NOT_RECTIFIABLE,
            Self::PaidExceedsNewTotal => sales::PAID_EXCEEDS_NEW_TOTAL,
            Self::NotPayable => sales::NOT_PAYABLE,
            Self::PaymentReconciled => sales::PAYMENT_RECONCILED,
            Self::PaymentAutomatic => sales::PAYMENT_AUTOMATIC,
            Self::NotConvertible => sales::NOT_CONVERTIBLE,
            Self::NotAQuote => sales::NOT_A_QUOTE,
            Self::QuoteAccepted => sales::QUOTE_ACCEPTED,
            Self::QuoteRejected => sales::QUOTE_REJECTED,
            Self::QuoteExpired => sales::QUOTE_EXPIRED,
            Self::SeriesExhausted => sales::SERIES_EXHAUSTED,
            Self::ReturnSubmitted => sales::RETURN_SUBMITTED,
            Self::NumberTaken => sales::NUMBER_TAKEN,
            Self::SeriesCodeTaken => sales::SERIES_CODE_TAKEN,
            Self::NotExchangeable => sales::NOT_EXCHANGEABLE,
            Self::NotApproved => purchases::NOT_APPROVED,
            Self::DocumentApproved => purchases::DOCUMENT_APPROVED,
            Self::DocumentRejected => purchases::DOCUMENT_REJECTED,
            Self::DocumentVoided => purchases::DOCUMENT_VOIDED,
            Self::DocumentHasPayments => purchases::DOCUMENT_HAS_PAYMENTS,
            Self::DuplicateDocument => purchases::DUPLICATE_DOCUMENT,
            Self::RegisterExhausted => purchases::REGISTER_EXHAUSTED,
            Self::SupplierExists => purchases::SUPPLIER_EXISTS,
            Self::SupplierCodeTaken => purchases::SUPPLIER_CODE_TAKEN,
            Self::AssetInUse => purchases::ASSET_IN_USE,
            Self::BankAccountArchived => treasury::BANK_ACCOUNT_ARCHIVED,
            Self::MovementReconciled => treasury::MOVEMENT_RECONCILED,
            Self::MovementNotPending => treasury::MOVEMENT_NOT_PENDING,
            Self::MovementNotReconciled => treasury::MOVEMENT_NOT_RECONCILED,
            Self::TooManyImports => treasury::TOO_MANY_IMPORTS,
            Self::EntryPosted => books::ENTRY_POSTED,
            Self::EntryNotManual => books::ENTRY_NOT_MANUAL,
            Self::EntryNotPosted => books::ENTRY_NOT_POSTED,
            Self::EntryReversed => books::ENTRY_REVERSED,
            Self::NoFiscalYear => books::NO_FISCAL_YEAR,
            Self::FiscalYearClosed => books::FISCAL_YEAR_CLOSED,
            Self::FiscalYearOpen => books::FISCAL_YEAR_OPEN,
            Self::FiscalYearFull => books::FISCAL_YEAR_FULL,
            Self::DraftEntries => books::DRAFT_ENTRIES,
            Self::PreviousYearOpen => books::PREVIOUS_YEAR_OPEN,
            Self::NextYearClosed => books::NEXT_YEAR_CLOSED,
            Self::NoResultAccount => books::NO_RESULT_ACCOUNT,
            Self::AssetNotDraft => assets::NOT_DRAFT,
            Self::AssetNotActive => assets::NOT_ACTIVE,
            Self::DefaultAccountMissing => assets::NO_DEFAULT_ACCOUNT,
            Self::PeriodLocked => books::PERIOD_LOCKED,
            Self::TaxPeriodSubmitted => books::TAX_PERIOD_SUBMITTED,
            Self::EntryUnbalanced => books::ENTRY_UNBALANCED,
            Self::TaxTagsMismatch => books::TAX_TAGS_MISMATCH,
            Self::ExternalIdTaken => (
                "Another record of the company has this `externalId`.",
                "Look for it with the filter `externalId`, and change it, or use another `externalId`.",
            ),
            Self::AlreadyExists => (
                "What was to be made exists already.",
                "Work with the one that exists; `existingId` names it where the caller may know it.",
            ),
            Self::TaxIdConflict => (
                "Both records have a tax id, and not the same one.",
                "Correct one of them first; for contacts `force` keeps the survivor's.",
            ),
            Self::AccountInGroup => (
                "The company is in a group already, and a company is in one at most.",
                "Take it out of its group first.",
            ),
            Self::ParentStays => (
                "The company at the top of a group cannot leave it while other companies are in it.",
                "Let the others leave first, or dissolve the group.",
            ),
            Self::LastHolder => {
                ("The person is the company's only active holder.", "Make another member holder first.")
            }
            Self::NotInvited => (
                "The invitation was answered, was withdrawn or has expired.",
                "Look at `currentState`, and ask for a new invitation.",
            ),
            Self::OfferLapsed => (
                "Who invited may no longer offer that role.",
                "Ask a holder or administrator of the company for a new invitation.",
            ),
            Self::TooManyInvitations => (
                "The company has as many open invitations as it may have.",
                "Wait for answers, or withdraw some.",
            ),
            Self::TokenActive => ("The token is switched on already.", "There is nothing to do."),
            Self::TokenNotActive => (
                "The token is disabled, revoked or expired, as `currentState` tells, and the action needs another state.",
                "Switch a disabled token on first; create another one in the place of a revoked or expired one.",
            ),
            Self::TokenIsConnection => (
                "A connection of an assistant has no value to rotate, and its role, company and addresses are fixed.",
                "Switch it off or revoke it; another role is another connection, made by connecting anew.",
            ),
            Self::ApiAccessOff => (
                "The service switched API access off for a company that the token reaches.",
                "Leave that company out, or ask the service to switch access on.",
            ),
            Self::SubscriptionLimitReached => (
                "The account has as many subscriptions as it may have.",
                "Delete one that is not needed, or list more events in an existing one.",
            ),
            Self::SubscriptionInactive => (
                "The subscription is switched off, and nothing is sent to it.",
                "Switch it on with PATCH {\"active\": true}.",
            ),
            Self::DeliveryNotEnded => (
                "The delivery is still under way or waits for its next attempt.",
                "Wait until it is delivered or failed.",
            ),
            Self::TooManyReplays => (
                "The subscription has as many open replays as it may have.",
                "Wait for one to end, or cancel one.",
            ),
            Self::ReplayEnded => ("The replay has ended already.", "Start another one if it is needed."),
            Self::IdempotencyInProgress => (
                "The first request with this `Idempotency-Key` has not ended yet.",
                "Send the same request again a little later.",
            ),
            Self::Conflict => (
                "Another request changed the same data at the same time.",
                "Read it again, and send the request again.",
            ),
            Self::VersionConflict => (
                "The record is at another version than the one in `If-Match`: it was changed since it was read.",
                "Read it again and decide anew; the answer's `ETag` is the present version.",
            ),
            Self::PayloadTooLarge => (
                "The body is larger than the service takes.",
                "Send less at once: several requests, or smaller lists.",
            ),
            Self::UnsupportedMediaType => (
                "The body's `Content-Type` is missing, comes twice or is not JSON.",
                "Send `Content-Type: application/json`; for PATCH `application/merge-patch+json` is taken too.",
            ),
            Self::ValidationFailed => (
                "Members of the body are missing, of another type, unknown, or break a rule.",
                "Mend every place that `errors` names; each has a code and says what is expected.",
            ),
            Self::FixedAtCreation => (
                "The member was chosen when the resource was created and does not change.",
                "Leave it out, or create another one.",
            ),
            Self::UnknownReference => (
                "An id in the body names nothing within reach, or something of another company.",
                "Check the id that `errors` names.",
            ),
            Self::MaskedValueRejected => (
                "The body has a value as a masked answer shows it; to store it would destroy the real one.",
                "Leave the member out, or send its real value.",
            ),
            Self::InvalidTaxId => (
                "The tax id does not pass the check of its country.",
                "Correct it; a foreign id needs `taxIdType` to say so.",
            ),
            Self::WebhookUrlNotAllowed => (
                "Webhooks go to https URLs with a public address behind their name, and without credentials.",
                "Use such a URL; `errors` tells which rule this one breaks.",
            ),
            Self::IdempotencyKeyReused => (
                "The `Idempotency-Key` was used for another request within 24 hours.",
                "Use a new key for each new request, and the same one only to repeat a request unchanged.",
            ),
            Self::RateLimited => (
                "Too many requests of the primary account in this minute, too many of them side by side, or too many failed \
                 attempts from this address.",
                "Wait as long as `Retry-After` says; `RateLimit` tells what is left. Read answers before the next requests.",
            ),
            Self::QuotaExceeded => (
                "The primary account has used up its requests of this month.",
                "Wait for the first of the next month (UTC), or ask the service for more.",
            ),
            Self::InternalError => (
                "The service failed; the request may or may not have taken effect.",
                "Send it again with the same `Idempotency-Key`; if it stays, tell support the `requestId`.",
            ),
            Self::Busy => (
                "The service has more to do than it can at this moment.",
                "Send the request again after `Retry-After`.",
            ),
        }
    }
}
