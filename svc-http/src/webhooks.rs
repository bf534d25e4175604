//! `/webhooks`: subscriptions and their deliveries (specification, part 4.1).
//!
//! A token's subscriptions are those of its primary account, whatever else it
//! reaches: every use case here gets a scope of that one company. The log of
//! events is of the companies themselves, and selects among all in reach.

mod deliveries;
mod event_log;
mod events;
mod replays;
mod span;
mod subscriptions;

use http::StatusCode;
use svc_business::catalogue::permission;

use self::deliveries::{get as delivery, list as log, redeliver};
use self::subscriptions::{create, get as one, list, remove, rotate_secret, test, update};
use crate::api::{Route, delete, get, patch, post};
use crate::gate::{BySubscriber, ByToken};
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const READ: ByToken = ByToken::With(permission("developers:webhooks.read"));
const CREATE: ByToken = ByToken::With(permission("developers:webhooks.create"));
const UPDATE: ByToken = ByToken::With(permission("developers:webhooks.update"));
const DELETE: ByToken = ByToken::With(permission("developers:webhooks.delete"));
const TEST: ByToken = ByToken::With(permission("developers:webhooks.test"));

const ONE: &str = "/webhooks/subscriptions/{id}";
/// What a request takes of its company's share while its URL is checked, in bytes: four at a time, for a name may keep a
/// lookup busy for seconds.
const CHECKING: usize = 50 * 16 * 1024;

pub(crate) fn routes() -> Vec<Route> {
    let mut routes = vec![
        get("/webhooks/events", READ, "The events that the token can subscribe to")
            .params(&[events::LANG])
            .answers::<events::Catalogue>(StatusCode::OK)
            .to(events::events),
        get(events::schema::PATH, READ, "The JSON Schema of the notifications of an event type")
            .about("Draft 2020-12. Any type of the catalogue, and `webhook.test`.")
            .answers_as::<events::schema::EventSchema>(StatusCode::OK, events::schema::MEDIA)
            .to(events::schema::schema),
        get("/webhooks/subscriptions", READ, "List the subscriptions of the primary account")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<subscriptions::View>>(StatusCode::OK)
            .to(list::list),
        post("/webhooks/subscriptions", BySubscriber(CREATE), "Create a subscription")
            .about(
                "The answer shows the signing secret, once. The token also needs the read permission of every event: \
                 `missing_permissions` of a 403 lists all that it lacks.",
            )
            .body::<create::Body>()
            .holding(CHECKING)
            .creates::<create::Created>()
            .refuses(&[StatusCode::CONFLICT])
            .to(create::create),
        get(ONE, READ, "Get a subscription")
            .about("The `ETag` is that of the settings; `health` changes without it, so there is no 304.")
            .answers::<subscriptions::View>(StatusCode::OK)
            .versioned()
            .unconditional()
            .to(one::get),
        patch(ONE, UPDATE, "Change name, URL, events or the active state")
            .about("Events are checked as on creation. A subscription switched on gets what occurs from then on.")
            .body::<update::Body>()
            .holding(CHECKING)
            .answers::<subscriptions::View>(StatusCode::OK)
            .versioned()
            .to(update::update),
        delete(ONE, DELETE, "Delete a subscription with its log and all that is queued for it")
            .answers_nothing()
            .versioned()
            .to(remove::remove),
        post("/webhooks/subscriptions/{id}/test", TEST, "Send a webhook.test event with a single attempt")
            .about("Answers once the receiver did, or after the timeout. 409 for an inactive subscription.")
            .answers::<test::Report>(StatusCode::OK)
            .to(test::test),
        post("/webhooks/subscriptions/{id}/rotate-secret", UPDATE, "Replace the signing secret")
            .about("The previous secret stops working at once. The new one is shown in this answer only.")
            .answers::<rotate_secret::Rotated>(StatusCode::OK)
            .versioned()
            .to(rotate_secret::rotate_secret),
        get("/webhooks/subscriptions/{id}/deliveries", READ, "The delivery log of a subscription, newest first")
            .params(&[PAGE, LIMIT])
            .params(&log::FILTERS)
            .answers::<Listed<deliveries::View>>(StatusCode::OK)
            .to(log::list),
        get("/webhooks/deliveries/{id}", READ, "A delivery with all that its receiver answered")
            .about("Headers and bodies of answers are shown as they came: untrusted text. The log leaves them out.")
            .answers::<deliveries::View>(StatusCode::OK)
            .to(delivery::get),
    ];
    routes.extend(sent_again());
    routes
}

/// What happened, and sending it once more.
fn sent_again() -> Vec<Route> {
    vec![
        post("/webhooks/deliveries/{id}/redeliver", UPDATE, "Send an ended delivery once more")
            .about("A new delivery of the same event, with the present secret and six attempts, a test event with one. 409 unless it has ended.")
            .answers::<deliveries::View>(StatusCode::ACCEPTED)
            .to(redeliver::redeliver),
        get("/webhooks/event-log", READ, "The events of the companies in reach, newest first")
            .about(event_log::ABOUT)
            .params(&event_log::PARAMS)
            .answers::<Listed<event_log::View>>(StatusCode::OK)
            .to(event_log::list),
        post("/webhooks/subscriptions/{id}/replay", UPDATE, "Send past events to a subscription again")
            .about(replays::events::ABOUT)
            .body::<replays::events::Body>()
            .answers::<replays::View>(StatusCode::ACCEPTED)
            .or_answers::<replays::Preview>(StatusCode::OK)
            .to(replays::events::replay),
        post("/webhooks/subscriptions/{id}/deliveries/redeliver", UPDATE, "Send ended deliveries once more")
            .about(replays::deliveries::ABOUT)
            .body::<replays::deliveries::Body>()
            .answers::<replays::View>(StatusCode::ACCEPTED)
            .or_answers::<replays::Preview>(StatusCode::OK)
            .to(replays::deliveries::redeliver),
        get("/webhooks/subscriptions/{id}/replays", READ, "The replays of a subscription, newest first")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<replays::View>>(StatusCode::OK)
            .to(replays::list::list),
        get("/webhooks/replays/{id}", READ, "Get a replay and how far it is")
            .answers::<replays::View>(StatusCode::OK)
            .to(replays::get::get),
        post("/webhooks/replays/{id}/cancel", UPDATE, "End a replay before it is through")
            .about("What it has added to the queue already is still delivered. 409 once it has ended.")
            .answers::<replays::View>(StatusCode::OK)
            .to(replays::cancel::cancel),
    ]
}
