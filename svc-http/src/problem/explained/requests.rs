//! What went wrong with a request of any kind, and what to do.

pub(super) const MALFORMED_JSON: (&str, &str) = (
    "The body is not one JSON value, or its transfer broke off.",
    "Send JSON in UTF-8; `errors` tells the line and the column where reading stopped.",
);
pub(super) const INVALID_PARAMETER: (&str, &str) = (
    "A query parameter or a header is unknown to the route, comes twice or has a value that it cannot have.",
    "Look at `errors`: it names the parameter and what is expected. The route's parameters are in the reference.",
);
pub(super) const PAGE_TOO_LARGE: (&str, &str) = (
    "The records of the page come to more than 4 MiB: they have long notes or much metadata.",
    "Ask for fewer records a page by a smaller `limit`, and for more pages.",
);
pub(super) const NOT_FOUND: (&str, &str) = (
    "The path names nothing, or something that is out of the credential's reach; both look the same.",
    "Check the path and the id; GET /auth/whoami lists the companies that a token reaches.",
);
pub(super) const METHOD_NOT_ALLOWED: (&str, &str) =
    ("The path exists, but not with this method.", "Use one of the methods that the header `Allow` lists.");
pub(super) const NOT_ACCEPTABLE: (&str, &str) = (
    "The `Accept` header leaves out the media type that the route answers with.",
    "Leave the header out, or add `application/json` or `*/*`.",
);
pub(super) const REQUEST_TIMEOUT: (&str, &str) = (
    "The body did not arrive within the time that the service waits for it.",
    "Send the request again, in one go.",
);
pub(super) const EXTERNAL_ID_TAKEN: (&str, &str) = (
    "Another record of the company has this `externalId`.",
    "Look for it with the filter `externalId`, and change it, or use another `externalId`.",
);
pub(super) const ALREADY_EXISTS: (&str, &str) = (
    "What was to be made exists already.",
    "Work with the one that exists; `existingId` names it where the caller may know it.",
);
pub(super) const IDEMPOTENCY_IN_PROGRESS: (&str, &str) = (
    "The first request with this `Idempotency-Key` has not ended yet.",
    "Send the same request again a little later.",
);
pub(super) const CONFLICT: (&str, &str) =
    ("Another request changed the same data at the same time.", "Read it again, and send the request again.");
pub(super) const VERSION_CONFLICT: (&str, &str) = (
    "The record is at another version than the one in `If-Match`: it was changed since it was read.",
    "Read it again and decide anew; the answer's `ETag` is the present version.",
);
pub(super) const PAYLOAD_TOO_LARGE: (&str, &str) =
    ("The body is larger than the service takes.", "Send less at once: several requests, or smaller lists.");
pub(super) const UNSUPPORTED_MEDIA_TYPE: (&str, &str) = (
    "The body's `Content-Type` is missing, comes twice or is not JSON.",
    "Send `Content-Type: application/json`; for PATCH `application/merge-patch+json` is taken too.",
);
pub(super) const VALIDATION_FAILED: (&str, &str) = (
    "Members of the body are missing, of another type, unknown, or break a rule.",
    "Mend every place that `errors` names; each has a code and says what is expected.",
);
pub(super) const FIXED_AT_CREATION: (&str, &str) = (
    "The member was chosen when the resource was created and does not change.",
    "Leave it out, or create another one.",
);
pub(super) const UNKNOWN_REFERENCE: (&str, &str) = (
    "An id in the body names nothing within reach, or something of another company.",
    "Check the id that `errors` names.",
);
pub(super) const MASKED_VALUE_REJECTED: (&str, &str) = (
    "The body has a value as a masked answer shows it; to store it would destroy the real one.",
    "Leave the member out, or send its real value.",
);
pub(super) const INVALID_TAX_ID: (&str, &str) = (
    "The tax id does not pass the check of its country.",
    "Correct it; a foreign id needs `taxIdType` to say so.",
);
pub(super) const IDEMPOTENCY_KEY_REUSED: (&str, &str) = (
    "The `Idempotency-Key` was used for another request within 24 hours.",
    "Use a new key for each new request, and the same one only to repeat a request unchanged.",
);
pub(super) const RATE_LIMITED: (&str, &str) = (
    "Too many requests of the primary account in this minute, too many of them side by side, or too many failed \
                 attempts from this address.",
    "Wait as long as `Retry-After` says; `RateLimit` tells what is left. Read answers before the next requests.",
);
pub(super) const QUOTA_EXCEEDED: (&str, &str) = (
    "The primary account has used up its requests of this month.",
    "Wait for the first of the next month (UTC), or ask the service for more.",
);
pub(super) const INTERNAL_ERROR: (&str, &str) = (
    "The service failed; the request may or may not have taken effect.",
    "Send it again with the same `Idempotency-Key`; if it stays, tell support the `requestId`.",
);
pub(super) const BUSY: (&str, &str) =
    ("The service has more to do than it can at this moment.", "Send the request again after `Retry-After`.");
