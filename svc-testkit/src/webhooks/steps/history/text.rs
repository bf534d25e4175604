//! What people write about subscriptions, right and wrong.

/// A name: as it is written, and as it is stored or which rule it breaks.
#[derive(Debug)]
pub(in crate::webhooks::steps) struct Name {
    pub(in crate::webhooks::steps) written: &'static str,
    pub(in crate::webhooks::steps) outcome: Result<&'static str, &'static str>,
}

/// A list of events: as it is written; the permissions that a caller who reads contacts alone lacks;
/// and what is stored, or the member and code of the refusal.
#[derive(Debug)]
pub(in crate::webhooks::steps) struct Events {
    pub(in crate::webhooks::steps) written: &'static [&'static str],
    pub(in crate::webhooks::steps) beyond_contacts: &'static [&'static str],
    pub(in crate::webhooks::steps) outcome: Result<&'static [&'static str], (&'static str, &'static str)>,
}

/// Whether a webhook may go to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::webhooks::steps) enum Verdict {
    Allowed,
    /// By its syntax it may not.
    Malformed,
    /// It leads to an address that is refused.
    Refused,
}

/// A URL.
#[derive(Debug)]
pub(in crate::webhooks::steps) struct Url {
    pub(in crate::webhooks::steps) written: &'static str,
    pub(in crate::webhooks::steps) verdict: Verdict,
}

/// Something that may be right or wrong.
pub(super) trait Written: std::fmt::Debug + Sync {
    fn is_sound(&self) -> bool;
}

impl Written for Name {
    fn is_sound(&self) -> bool {
        self.outcome.is_ok()
    }
}

impl Written for Events {
    fn is_sound(&self) -> bool {
        self.outcome.is_ok()
    }
}

impl Written for Url {
    fn is_sound(&self) -> bool {
        self.verdict == Verdict::Allowed
    }
}

/// What a caller who reads contacts alone lacks for events that are stored.
pub(in crate::webhooks::steps) fn beyond_contacts(stored: &[&str]) -> &'static [&'static str] {
    let of = EVENTS.iter().find(|events| events.outcome.is_ok_and(|outcome| outcome == stored));
    of.expect("events of a history").beyond_contacts
}

pub(super) static NAMES: [Name; 3] = [
    Name { written: "Shop", outcome: Ok("Shop") },
    Name { written: "  Ñandú 🧾 ", outcome: Ok("Ñandú 🧾") },
    Name { written: " ", outcome: Err("required") },
];

pub(super) static EVENTS: [Events; 7] = [
    Events { written: &["contact.create"], beyond_contacts: &[], outcome: Ok(&["contact.create"]) },
    Events {
        written: &["contact.update", "contact.create", "contact.update"],
        beyond_contacts: &[],
        outcome: Ok(&["contact.create", "contact.update"]),
    },
    Events {
        written: &["invoice.pay", "contact.create"],
        beyond_contacts: &["sales:invoices.read"],
        outcome: Ok(&["contact.create", "invoice.pay"]),
    },
    Events {
        written: &["invoice.pay"],
        beyond_contacts: &["sales:invoices.read"],
        outcome: Ok(&["invoice.pay"]),
    },
    Events { written: &[], beyond_contacts: &[], outcome: Err(("events", "required")) },
    Events {
        written: &["contact.create", "contact.explode"],
        beyond_contacts: &[],
        outcome: Err(("events[1]", "unknown_event")),
    },
    Events {
        written: &["webhook.test"],
        beyond_contacts: &[],
        outcome: Err(("events[0]", "not_subscribable")),
    },
];

pub(super) static URLS: [Url; 5] = [
    Url { written: "https://hooks.example.com/svc?key=1", verdict: Verdict::Allowed },
    Url { written: "https://erp.example.net/in", verdict: Verdict::Allowed },
    Url { written: "ftp://hooks.example.com/svc", verdict: Verdict::Malformed },
    Url { written: "https://ana:secret@hooks.example.com/", verdict: Verdict::Malformed },
    Url { written: "https://hooks.internal/svc", verdict: Verdict::Refused },
];
