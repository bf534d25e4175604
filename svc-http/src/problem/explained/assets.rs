//! What lies behind the refusals of fixed assets.

pub(super) const NOT_DRAFT: (&str, &str) = (
    "The fixed asset is active, or has left: it is neither activated again nor erased.",
    "Change it with PATCH, or let it leave with POST …/dispose.",
);

pub(super) const NOT_ACTIVE: (&str, &str) = (
    "The fixed asset is a draft, or has left already.",
    "Activate a draft with POST …/activate; nothing is left to do for one that has left.",
);

pub(super) const NO_DEFAULT_ACCOUNT: (&str, &str) = (
    "The books name no account for what the entry counts.",
    "Name one in `defaultAccounts` with PATCH /books/{companyId}, or in the request where it takes one.",
);
