//! `/webhooks/subscriptions`

pub(super) mod create;
pub(super) mod get;
mod health;
pub(super) mod list;
pub(super) mod remove;
pub(super) mod rotate_secret;
pub(super) mod test;
pub(super) mod update;

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::{EventDeclaration, EventType};
use svc_core::id::{AccountId, SubscriptionId};
use svc_core::tenant::Scope;
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::health::Health;
use svc_webhooks::subscription::{CustomHeaders, MASK, Subscription};

use crate::api_request::ApiRequest;

/// Which events a subscription gets.
const EVENTS: Form =
    Form::some(&Form::ANY).like::<Vec<EventType>>().json(r#"["contact.create","contact.update"]"#);

/// Reminds of the one time that a secret is shown.
const SAVE_THE_SECRET: &str = "Save the secret now: it signs the notifications and cannot be shown again.";

/// Stands in its place in a replay.
const SECRET_WAS_SHOWN: &str =
    "The secret was shown in the first answer only. If that one was lost, ask for another: /rotate-secret.";

wire_view! {
    /// A subscription; its secret is never shown again.
    #[derive(Debug)]
    pub(crate) struct View as "Subscription" {
        id: SubscriptionId,
        object: &'static str => Form::one_of(&["webhook_subscription"]),
        /// The company whose events it receives.
        company_id: AccountId,
        name: String => Form::ANY.example("Shop"),
        url: String => Form::URI.example("https://shop.example/hooks"),
        events: Vec<EventType> => Form::ANY.json(r#"["contact.create"]"#),
        /// Whether events are delivered.
        active: bool,
        /// How many attempts may be under way at a time.
        max_in_flight: u16 => Form::range(1, 256).number(32),
        /// The names of the headers that its notifications carry, with `***` for their values.
        headers: BTreeMap<String, &'static str> => Form::ANY.json(r#"{"x-shop":"***"}"#),
        /// How its receiver answers.
        health: health::View,
        version: i64,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

impl View {
    /// The subscription with what is known of its receiver, if anything was sent to it.
    fn of(subscription: &Subscription, health: Option<&Health>, now: Timestamp) -> Self {
        Self {
            id: subscription.id,
            object: EventDeclaration::TEST.object(),
            company_id: subscription.account,
            name: subscription.name.clone(),
            url: subscription.endpoint.as_str().to_owned(),
            events: subscription.events.iter().cloned().collect(),
            active: subscription.is_active(),
            max_in_flight: subscription.in_flight.get(),
            headers: masked(&subscription.headers),
            health: health::View::of(health, now),
            version: subscription.version.as_i64(),
            created_at: subscription.created_at,
            updated_at: subscription.updated_at,
        }
    }
}

/// Headers without their values.
fn masked(headers: &CustomHeaders) -> BTreeMap<String, &'static str> {
    headers.iter().map(|(name, _)| (name.to_owned(), MASK)).collect()
}

/// The subscription as it is shown, its receiver's health as it is now.
async fn shown(req: &ApiRequest, scope: &Scope, subscription: &Subscription) -> Result<View, StoreError> {
    let health = req.app.webhooks.subscriptions().health(scope, &[subscription.id]).await?;
    Ok(View::of(subscription, health.get(&subscription.id), req.context.now))
}
