//! What the audit log says of a subscription.

use std::collections::BTreeSet;

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::unit::Call;

use crate::endpoint::Endpoint;
use crate::ports::WebhookUnit;
use crate::subscription::Subscription;

/// A subscription as the log shows it: never its secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    name: &'a str,
    url: String,
    events: &'a BTreeSet<EventType>,
    active: bool,
    max_in_flight: u16,
}

impl<'a> View<'a> {
    fn of(subscription: &'a Subscription) -> Self {
        Self {
            name: &subscription.name,
            url: place(&subscription.endpoint),
            events: &subscription.events,
            active: subscription.is_active(),
            max_in_flight: subscription.in_flight.get(),
        }
    }
}

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
    call: Call<'_>,
    action: Action,
    subject: &Subscription,
    (before, after): (Option<&Subscription>, Option<&Subscription>),
) -> Result<(), StoreError> {
    let (before, after) = (before.map(View::of), after.map(View::of));
    let entry = Entry::new(call, subject.account, action, subject.id, (before.as_ref(), after.as_ref()));
    unit.audit().append(&[entry]).await
}
