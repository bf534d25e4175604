//! What went wrong with a webhook, and what to do.

pub(super) const SUBSCRIPTION_LIMIT_REACHED: (&str, &str) = (
    "The account has as many subscriptions as it may have.",
    "Delete one that is not needed, or list more events in an existing one.",
);
pub(super) const SUBSCRIPTION_INACTIVE: (&str, &str) = (
    "The subscription is switched off, and nothing is sent to it.",
    "Switch it on with PATCH {\"active\": true}.",
);
pub(super) const DELIVERY_NOT_ENDED: (&str, &str) = (
    "The delivery is still under way or waits for its next attempt.",
    "Wait until it is delivered or failed.",
);
pub(super) const TOO_MANY_REPLAYS: (&str, &str) =
    ("The subscription has as many open replays as it may have.", "Wait for one to end, or cancel one.");
pub(super) const REPLAY_ENDED: (&str, &str) =
    ("The replay has ended already.", "Start another one if it is needed.");
pub(super) const WEBHOOK_URL_NOT_ALLOWED: (&str, &str) = (
    "Webhooks go to https URLs with a public address behind their name, and without credentials.",
    "Use such a URL; `errors` tells which rule this one breaks.",
);
