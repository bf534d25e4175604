//! Proptest strategies of webhooks.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use svc_core::clock::Timestamp;
use svc_core::event::{Event, EventDeclaration, EventType};
use svc_core::id::{AccountId, EventId, TypedId};
use svc_core::tenant::Tenant;
use svc_webhooks::delivery::Outcome;
use uuid::Uuid;

use crate::catalogue;
use crate::webhooks::model::Step;

/// Any id of a kind.
pub fn id<I: TypedId>() -> impl Strategy<Value = I> {
    any::<u128>().prop_map(|number| I::from_uuid(Uuid::from_u128(number)))
}

/// Any instant of the years 2000 to 2100, to the microsecond.
pub fn instant() -> impl Strategy<Value = Timestamp> {
    (946_684_800_000_000_i64..4_102_444_800_000_000).prop_map(Timestamp::from_unix_micros)
}

/// Any type that can be subscribed to.
pub fn event_type() -> impl Strategy<Value = EventType> {
    event_declaration().prop_map(|declared| declared.kind())
}

fn event_declaration() -> impl Strategy<Value = EventDeclaration> {
    select(catalogue::events().all().copied().collect::<Vec<_>>())
}

/// Any event, with up to two further members of `data`.
pub fn event() -> impl Strategy<Value = Event> {
    let id_of_another = "[a-z]{3}_[0-9a-z]{26}".prop_map(|id| ("merged_id", Value::from(id)));
    let count = any::<u64>().prop_map(|count| ("movement_count", Value::from(count)));
    let member = prop_oneof![id_of_another, count];
    let named = "[!-~]{1,128}".prop_filter_map("the text of an account", |text| Tenant::named(text).ok());
    let tenant = option::weighted(0.9, prop_oneof![id::<AccountId>().prop_map(Tenant::from), named]);
    (id::<EventId>(), event_declaration(), instant(), tenant, "[a-z]{3}_[0-9a-z]{26}", vec(member, 0..=2))
        .prop_map(|(id, declared, occurred_at, tenant, object_id, data)| {
            let (kind, object) = (declared.kind(), declared.object().into());
            Event { id, kind, occurred_at, tenant, object, object_id, data: data.into_iter().collect() }
        })
}

/// The outcome of a failed attempt.
pub fn failure() -> impl Strategy<Value = Outcome> {
    (option::of(prop_oneof![100_u16..200, 300_u16..600]), 0_u64..10_000).prop_map(|(status_code, millis)| {
        Outcome { status_code, error: Some("failed".to_owned()), duration: Duration::from_millis(millis) }
    })
}

/// Any waits between attempts, eight at most and up to a day each.
pub fn waits() -> impl Strategy<Value = Vec<Duration>> {
    vec((0_u64..86_400).prop_map(Duration::from_secs), 0..=8)
}

/// Up to `most` steps of a delivery with the time before each; failures are the most frequent.
pub fn steps(most: usize) -> impl Strategy<Value = Vec<(Step, Duration)>> {
    let step = prop_oneof![
        8 => Just(Step::Fail),
        1 => Just(Step::Succeed),
        1 => Just(Step::Cancel),
    ];
    let pause = (0_u64..200_000).prop_map(Duration::from_millis);
    vec((step, pause), 0..=most)
}
