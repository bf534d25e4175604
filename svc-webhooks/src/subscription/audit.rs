//! What the audit log says of a subscription.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::unit::CallContext;

use crate::endpoint::Endpoint;
use crate::ports::WebhookUnit;
use crate::subscription::{MASK, Subscription};

/// A subscription as the log shows it: never its secret, nor the values of its headers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    name: &'a str,
    url: String,
    events: &'a BTreeSet<EventType>,
    active: bool,
    max_in_flight: u16,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    headers: BTreeMap<&'a str, &'static str>,
}

impl<'a> View<'a> {
    /// The state of `subscription`; after a change, `earlier` is what it was before.
    fn of(subscription: &'a Subscription, earlier: Option<&Subscription>) -> Self {
        let header = |(name, value)| {
            let before = earlier.and_then(|earlier| earlier.headers.find(name));
            (name, if before.is_some_and(|before| before != value) { CHANGED } else { MASK })
        };
        Self {
            name: &subscription.name,
            url: place(&subscription.endpoint),
            events: &subscription.events,
            active: subscription.is_active(),
            max_in_flight: subscription.in_flight.get(),
            headers: subscription.headers.iter().map(header).collect(),
        }
    }
}

/// Stands for a value that is not the one before.
const CHANGED: &str = "*** (changed)";

/// Scheme, host and path: receivers put secrets into the query, so only its presence is told.
fn place(endpoint: &Endpoint) -> String {
    let mut url = endpoint.url().clone();
    let mark = if url.query().is_some() { "?…" } else { "" };
    url.set_query(None);
    format!("{url}{mark}")
}

/// Writes a change of `subject` into the log of its company.
pub(super) async fn log(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    action: Action,
    subject: &Subscription,
    (before, after): (Option<&Subscription>, Option<&Subscription>),
) -> Result<(), StoreError> {
    let (before, after) =
        (before.map(|before| View::of(before, None)), after.map(|after| View::of(after, before)));
    let entry = Entry::new(call, subject.account, action, subject.id, (before.as_ref(), after.as_ref()));
    unit.audit().append(&[entry]).await
}
