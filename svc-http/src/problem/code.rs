//! Every `code` of a problem with its status and title.

use http::StatusCode;

macro_rules! codes {
    ($($status:ident { $($variant:ident = $name:literal, $title:literal;)* })*) => {
        /// What kind of problem it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code {
            $($(#[doc = $title] $variant,)*)*
        }

        impl Code {
            /// Every code, by status.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The HTTP status.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self {
                    $($(Self::$variant)|* => StatusCode::$status,)*
                }
            }

            /// The wire name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Self::$variant => $name,)*)*
                }
            }

            /// For a person.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $($(Self::$variant => $title,)*)*
                }
            }
        }
    };
}

codes! {
    BAD_REQUEST {
        MalformedJson = "malformed_json", "The body is not JSON";
        InvalidParameter = "invalid_parameter", "A parameter or header is invalid";
        PageTooLarge = "page_too_large", "The page is too large";
        TokenInUrl = "token_in_url", "Tokens must not travel in URLs";
        PersonalDataFilter = "personal_data_required", "Filtering by personal data needs the personal-data option";
    }
    UNAUTHORIZED {
        TokenMissing = "token_missing", "No token";
        TokenInvalid = "token_invalid", "Invalid token";
        TokenDisabled = "token_disabled", "The token is switched off";
        TokenRevoked = "token_revoked", "The token was revoked";
        TokenExpired = "token_expired", "The token has expired";
        CreatorLostRole = "creator_lost_role", "The creator of the token lost the role";
        SessionMissing = "session_missing", "Not signed in";
        SessionInvalid = "session_invalid", "The session has ended";
        SignatureInvalid = "signature_invalid", "The signature is not valid";
        SignInFailed = "sign_in_failed", "E-mail address and password do not belong together";
        CodeRejected = "code_rejected", "The code is not the right one";
    }
    FORBIDDEN {
        HttpsRequired = "https_required", "HTTPS is required";
        AccountTokenNotAccepted = "account_token_not_accepted", "Not for tokens";
        MissingPermission = "missing_permission", "A permission is missing";
        FileNotDownloadable = "file_not_downloadable", "The file is not for download";
        PersonalDataWithheld = "personal_data_withheld", "The token does not see personal data";
        IpNotAllowed = "ip_not_allowed", "The address is not allowed";
        IpRestrictedToken = "ip_restricted_token_not_allowed", "Not for tokens with a list of addresses";
        CsrfRejected = "csrf_rejected", "The request may come from another site";
        RoleRequired = "role_required", "For holders and administrators";
        NotAdministered = "not_administered", "The token reaches companies of others";
        SubsidiaryOutOfReach = "subsidiary_out_of_reach", "The token would not reach the new company";
    }
    NOT_FOUND {
        NotFound = "not_found", "Not found";
    }
    GONE {
        DataRoomFileExpired = "data_room_file_expired", "The data room gives the file no more";
    }
    METHOD_NOT_ALLOWED {
        MethodNotAllowed = "method_not_allowed", "Method not allowed";
    }
    NOT_ACCEPTABLE {
        NotAcceptable = "not_acceptable", "The client takes no such answer";
    }
    REQUEST_TIMEOUT {
        RequestTimeout = "request_timeout", "The body did not arrive in time";
    }
    RANGE_NOT_SATISFIABLE {
        RangeNotSatisfiable = "range_not_satisfiable", "The file has no such bytes";
    }
    CONFLICT {
        FileInUse = "file_in_use", "The file is to be kept";
        FileNotStampable = "file_not_stampable", "The pages of the file cannot be stamped";
        FileDeleted = "file_deleted", "The file was deleted";
        FileFull = "file_full", "The file has no version left";
        FolderNotEmpty = "folder_not_empty", "The folder is not empty";
        EnvelopeClosed = "envelope_closed", "The envelope has ended";
        EnvelopeNotDraft = "envelope_not_draft", "The envelope was sent";
        EnvelopeNotSent = "envelope_not_sent", "The envelope is a draft";
        EnvelopeSuperseded = "envelope_superseded", "Another envelope took its place";
        EnvelopeCompleted = "envelope_completed", "Everyone signed the envelope";
        NotSealed = "not_sealed", "The envelope is not sealed";
        SignerDone = "signer_done", "The signer is done";
        TooManySigners = "too_many_signers", "The envelope has had too many signers";
        RemindedLately = "reminded_lately", "The signers were reminded lately";
        UploadLinkUsed = "upload_link_used", "Another file came by the link";
        TrailFull = "trail_full", "The history of the envelope is full";
        SecondFactorState = "second_factor_state", "The second factor is on already, or not on";
        AccountDeactivated = "account_deactivated", "The company is deactivated";
        AccountMerged = "account_merged", "The company was merged";
        AccountActive = "account_active", "The company is active";
        CannotDeactivatePrimary = "cannot_deactivate_primary", "The primary company stays";
        ActiveSubsidiary = "active_subsidiary", "A subsidiary is active";
        OpenEnvelope = "open_envelope", "An envelope is with its signers";
        CountryConflict = "country_conflict", "Different countries";
        RecordsClash = "records_clash", "Records of both companies clash";
        CannotMergePrimary = "cannot_merge_primary", "The primary company stays";
        RecordMerged = "record_merged", "The record was merged into another one";
        CaseClosed = "case_closed", "The case is closed";
        CaseNotClosed = "case_not_closed", "The case is not closed";
        NoticeNotAvailable = "notice_not_available", "The notice is not available";
        NotANotification = "not_a_notification", "The notice is no notification";
        AccountHasBooks = "account_has_books", "The company has written in its books";
        BaseCurrencyFrozen = "base_currency_frozen", "The base currency stays";
        BooksInUse = "books_in_use", "The books are in use";
        LedgerAccountInUse = "account_in_use", "The account is in use";
        EntryPosted = "entry_posted", "The entry is posted";
        EntryNotManual = "entry_not_manual", "The entry was made by its source";
        EntryNotPosted = "entry_not_posted", "The entry is a draft";
        EntryReversed = "entry_reversed", "The entry is reversed";
        NoFiscalYear = "no_fiscal_year", "No fiscal year has the date";
        FiscalYearClosed = "fiscal_year_closed", "The fiscal year is closed";
        FiscalYearOpen = "fiscal_year_open", "The fiscal year is open";
        FiscalYearFull = "fiscal_year_full", "The fiscal year has no number left";
        DraftEntries = "draft_entries", "Drafts are dated in these days";
        PreviousYearOpen = "previous_year_open", "The year before it is open";
        NextYearClosed = "next_year_closed", "The year after it is closed";
        NoResultAccount = "no_result_account", "No account for the result";
        AssetNotDraft = "asset_not_draft", "The asset is no draft";
        AssetNotActive = "asset_not_active", "The asset is not in use";
        DefaultAccountMissing = "default_account_missing", "The books name no such account";
        PeriodLocked = "period_locked", "The period is locked";
        TaxPeriodSubmitted = "tax_period_submitted", "The return of the period was submitted";
        NotExchangeable = "not_exchangeable", "The format cannot hold the document";
        NotIssued = "not_issued", "The document is a draft";
        InvoiceIssued = "invoice_issued", "The document is issued";
        InvoiceVoided = "invoice_voided", "The document is voided";
        TooManyMails = "too_many_mails", "Too many mails wait";
        InvoiceHasPayments = "invoice_has_payments", "The document has payments";
        InvoiceRectified = "invoice_rectified", "Another document puts it right";
        OverRectified = "over_rectified", "More is put right than there is";
        NotRectifiable = "not_rectifiable", "The document is no invoice";
        PaidExceedsNewTotal = "paid_exceeds_new_total", "More was paid than the new total";
        NotPayable = "not_payable", "The document is not owed";
        PaymentReconciled = "payment_reconciled", "A bank movement stands against the payment";
        PaymentAutomatic = "payment_automatic", "The payment belongs to a rectification";
        NotConvertible = "not_convertible", "The document does not become that";
        NotAQuote = "not_a_quote", "The document is no open quote";
        QuoteAccepted = "quote_accepted", "The quote is accepted";
        QuoteRejected = "quote_rejected", "The quote is rejected";
        QuoteExpired = "quote_expired", "The quote is expired";
        SeriesExhausted = "series_exhausted", "The series has no number left";
        ReturnFiled = "return_filed", "The return was filed";
        ReturnNotPrepared = "return_not_prepared", "The return is not prepared";
        ReturnNotSubmitted = "return_not_submitted", "The return is not submitted";
        PeriodNotOver = "period_not_over", "The period is not over";
        ReturnStale = "return_stale", "Something changed since the return was prepared";
        ReturnIncomplete = "return_incomplete", "A party of the return cannot be declared";
        ReturnTooLarge = "return_too_large", "The period has too many tax tags";
        ReturnNotComputable = "return_not_computable", "The return cannot be computed";
        ReturnPaid = "return_paid", "A movement pays the return";
        ReturnSubmitted = "return_submitted", "A return has its tax";
        NumberTaken = "number_taken", "The number exists already";
        SeriesCodeTaken = "series_code_taken", "The code exists already";
        NotApproved = "not_approved", "The document is not approved";
        DocumentApproved = "document_approved", "The document is approved";
        DocumentRejected = "document_rejected", "The document is rejected";
        DocumentVoided = "document_voided", "The document is voided";
        DocumentHasPayments = "document_has_payments", "The document has payments";
        DuplicateDocument = "duplicate_document", "The document came in already";
        RegisterExhausted = "register_exhausted", "The register has no number left";
        SupplierExists = "supplier_exists", "The contact is a supplier";
        SupplierCodeTaken = "supplier_code_taken", "The code exists already";
        AssetInUse = "asset_in_use", "A fixed asset of it is in use";
        BankAccountArchived = "bank_account_archived", "The bank account is archived";
        MovementReconciled = "movement_reconciled", "The movement is reconciled";
        MovementNotPending = "movement_not_pending", "The movement is not pending";
        MovementNotReconciled = "movement_not_reconciled", "The movement is not reconciled";
        TooManyImports = "too_many_imports", "Too many imports are being processed";
        AccountCodeTaken = "account_code_taken", "The code exists already";
        ContactArchived = "contact_archived", "The contact is archived";
        ContactInUse = "contact_in_use", "The contact is in use";
        DuplicateTaxId = "duplicate_tax_id", "The tax id exists already";
        ExternalIdTaken = "external_id_taken", "The external id exists already";
        AlreadyExists = "already_exists", "It exists already";
        TaxIdConflict = "tax_id_conflict", "Different tax ids";
        AccountInGroup = "account_in_group", "The company is in a group already";
        ParentStays = "parent_account_stays", "The company at the top stays while others are in the group";
        LastHolder = "last_holder", "A company keeps a holder";
        NotInvited = "not_invited", "The invitation is answered, withdrawn or expired";
        OfferLapsed = "offer_lapsed", "The inviter may no longer offer that role";
        TooManyInvitations = "too_many_invitations", "Too many open invitations";
        TokenActive = "token_active", "The token is active";
        TokenNotActive = "token_not_active", "The token is not active";
        TokenIsConnection = "token_is_connection", "The credential is a connection";
        ApiAccessOff = "api_access_off", "API access is switched off";
        SubscriptionLimitReached = "subscription_limit_reached", "Too many subscriptions";
        SubscriptionInactive = "subscription_inactive", "The subscription is inactive";
        DeliveryNotEnded = "delivery_not_ended", "The delivery has not ended";
        TooManyReplays = "too_many_replays", "Too many open replays";
        ReplayEnded = "replay_ended", "The replay has ended";
        IdempotencyInProgress = "idempotency_in_progress", "The first request is still running";
        Conflict = "conflict", "Changed meanwhile";
    }
    PRECONDITION_FAILED {
        VersionConflict = "version_conflict", "Another version";
    }
    PAYLOAD_TOO_LARGE {
        PayloadTooLarge = "payload_too_large", "The body is too large";
    }
    UNSUPPORTED_MEDIA_TYPE {
        UnsupportedMediaType = "unsupported_media_type", "The body has another media type";
    }
    UNPROCESSABLE_ENTITY {
        ValidationFailed = "validation_failed", "Validation failed";
        FixedAtCreation = "fixed_at_creation", "Fixed when the token was created";
        UnknownReference = "unknown_reference", "Something referred to is unknown";
        MaskedValueRejected = "masked_value_rejected", "Masked values cannot be written back";
        EntryUnbalanced = "entry_unbalanced", "Debits and credits differ";
        TaxTagsMismatch = "tax_tags_mismatch", "Tags and VAT accounts differ";
        SumOutOfRange = "sum_out_of_range", "The amounts add up to too much";
        InvalidTaxId = "invalid_tax_id", "Invalid tax id";
        WebhookUrlNotAllowed = "webhook_url_not_allowed", "The webhook URL is not allowed";
        IdempotencyKeyReused = "idempotency_key_reused", "The idempotency key was used for another request";
    }
    TOO_MANY_REQUESTS {
        RateLimited = "rate_limited", "Too many requests or attempts";
        QuotaExceeded = "quota_exceeded", "Too many requests in this month";
    }
    INTERNAL_SERVER_ERROR {
        InternalError = "internal_error", "Internal error";
    }
    SERVICE_UNAVAILABLE {
        Busy = "busy", "Busy";
    }
}

impl Code {
    /// Whether the same request meets the same refusal again, so that it may be kept. Another `If-Match` does
    /// not make it another request, so a client that read the record again may use its `Idempotency-Key` again.
    pub(crate) fn is_final(self) -> bool {
        self.status() != StatusCode::TOO_MANY_REQUESTS
            && !matches!(self, Self::Conflict | Self::IdempotencyInProgress | Self::VersionConflict)
    }

    /// What a 401 asks for (RFC 9110, section 11.6.1). No browser asks its user for a scheme it does not know.
    pub(crate) const fn challenge(self) -> &'static str {
        if matches!(
            self,
            Self::SessionMissing | Self::SessionInvalid | Self::SignInFailed | Self::CodeRejected
        ) {
            "Session"
        } else if matches!(self, Self::SignatureInvalid) {
            "Signature"
        } else {
            "Bearer"
        }
    }
}
