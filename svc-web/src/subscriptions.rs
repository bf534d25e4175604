//! The webhook subscriptions of a company: which receiver is told of what, and how it answers.

mod draft;
pub(crate) mod edit;
mod events;
mod health;
pub(crate) mod list;
pub(crate) mod new;
mod secret;
pub(crate) mod show;
pub(crate) mod step;
pub(crate) mod test;

use std::sync::LazyLock;

use svc_core::id::SubscriptionId;
use svc_core::permission::Grants;
use svc_http::Problem;
use svc_webhooks::subscription::{Subscribable, Subscription};

use crate::gate::{Developer, Seen};
use crate::texts::Subscriptions;

/// Holders and administrators may read everything.
static EVERYTHING: LazyLock<Grants> = LazyLock::new(Grants::all);

/// What people can subscribe to.
pub(crate) fn subscribable(seen: &Seen<Developer>) -> Subscribable<'_> {
    let app = seen.visit.app();
    Subscribable::new(&app.events, &EVERYTHING).named(&app.attempts.names)
}

/// The subscription with this id, of the company of the page.
pub(crate) async fn found(seen: &Seen<Developer>, id: SubscriptionId) -> Result<Subscription, Problem> {
    let found = seen.visit.app().webhooks.subscriptions().find(&seen.at().scope, id).await?;
    found.ok_or_else(Problem::not_found)
}

/// How a state is told, and in which colour.
fn state(subscription: &Subscription, t: &Subscriptions) -> (&'static str, &'static str) {
    if subscription.is_active() { (t.on, "good") } else { (t.off, "warn") }
}
