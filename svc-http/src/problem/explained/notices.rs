//! What went wrong with a notice, and what to do.

pub(super) const NOT_AVAILABLE: (&str, &str) = (
    "A person accessed or rejected the notice, or its term passed: that has taken effect and stays.",
    "Read the notice; what it asks for may still be due by `responseDueOn`.",
);
pub(super) const NOT_A_NOTIFICATION: (&str, &str) = (
    "The notice is a communication, which informs and is not served, so there is nothing to reject.",
    "Access it, or say with PATCH {\"handled\": true} that all is done.",
);
