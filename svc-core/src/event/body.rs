//! The body of a notification, written and read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de};
use serde_json::Value;
use thiserror::Error;

use super::{Event, EventData, EventType};
use crate::clock::Timestamp;
use crate::id::{AccountId, EventId};
use crate::tenant::Tenant;

/// What was kept of an event is not the body of one.
#[derive(Debug, Error)]
#[error("not the body of an event: {0}")]
pub struct MalformedBody(#[from] serde_json::Error);

#[derive(Serialize)]
pub(super) struct Body<'a> {
    id: EventId,
    r#type: &'a EventType,
    occurred_at: Timestamp,
    account_id: Option<&'a Tenant>,
    data: Data<'a>,
}

#[derive(Serialize)]
struct Data<'a> {
    object: &'a str,
    id: &'a str,
    #[serde(flatten)]
    further: &'a EventData,
}

impl<'a> Body<'a> {
    pub(super) fn of(event: &'a Event) -> Self {
        Self {
            id: event.id,
            r#type: &event.kind,
            occurred_at: event.occurred_at,
            account_id: event.tenant.as_ref(),
            data: Data { object: &event.object, id: &event.object_id, further: &event.data },
        }
    }
}

/// What the columns of a storage need not hold beside the body.
#[derive(Deserialize)]
struct Kept {
    id: EventId,
    r#type: EventType,
    account_id: Option<Tenant>,
    data: KeptData,
}

#[derive(Deserialize)]
struct KeptData {
    object: String,
    id: String,
    #[serde(flatten)]
    further: BTreeMap<String, Value>,
}

impl Event {
    /// The event whose [`body`](Self::body) this is. A body tells the millisecond of an event; the exact
    /// instant is kept beside it.
    ///
    /// # Errors
    /// [`MalformedBody`].
    pub fn from_body(body: &[u8], occurred_at: Timestamp) -> Result<Self, MalformedBody> {
        let Kept { id, r#type: kind, account_id: tenant, data } = serde_json::from_slice(body)?;
        let KeptData { object, id: object_id, further } = data;
        Ok(Self {
            id,
            kind,
            occurred_at,
            tenant,
            object: object.into(),
            object_id,
            data: further.into_iter().collect(),
        })
    }
}

impl Tenant {
    /// The tenant of the event with this account and this body: only one with an id of its own needs the body.
    ///
    /// # Errors
    /// [`MalformedBody`], also when the body belongs to another account.
    pub fn of_body(account: AccountId, body: &[u8]) -> Result<Self, MalformedBody> {
        if !Self::may_be_named(account) {
            return Ok(account.into());
        }
        let Belongs { account_id } = serde_json::from_slice(body)?;
        let same = account_id.filter(|tenant| *tenant == account);
        same.ok_or_else(|| MalformedBody(de::Error::custom("the body is that of another account")))
    }
}

/// Whom a body belongs to.
#[derive(Deserialize)]
struct Belongs {
    account_id: Option<Tenant>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::id::TypedId;

    fn event(account: Option<u128>) -> Event {
        Event {
            id: EventId::from_uuid(Uuid::from_u128(1)),
            kind: EventType::of("order.placed"),
            occurred_at: Timestamp::from_unix_micros(1_738_314_900_123_456),
            tenant: account.map(Uuid::from_u128).map(AccountId::from_uuid).map(Tenant::from),
            object: "order".into(),
            object_id: "1001".to_owned(),
            data: EventData::default(),
        }
    }

    #[test]
    fn the_body_has_its_keys_in_the_order_of_the_specification() {
        let event = event(None).with("total", 4_200).with("customer", json!({ "name": "x" }));
        assert_eq!(
            String::from_utf8(event.body()).expect("JSON is UTF-8"),
            "{\"id\":\"evt_00000000000000000000000001\",\"type\":\"order.placed\",\
             \"occurred_at\":\"2025-01-31T09:15:00.123Z\",\"account_id\":null,\
             \"data\":{\"object\":\"order\",\"id\":\"1001\",\"customer\":{\"name\":\"x\"},\"total\":4200}}"
        );
    }

    #[test]
    fn what_is_no_body_is_refused() {
        for bad in ["", "{}", "[]", r#"{"id":"evt_00000000000000000000000001","type":"a b"}"#] {
            assert!(Event::from_body(bad.as_bytes(), Timestamp::default()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_body_shows_the_own_id_of_a_tenant_and_is_read_back_with_its_account() {
        let tenant = Tenant::named("customer-42").expect("a tenant");
        let own = Event { tenant: Some(tenant.clone()), ..event(None) };
        let text = String::from_utf8(own.body()).expect("JSON is UTF-8");
        assert!(text.contains(r#""account_id":"customer-42","data""#), "{text}");
        let read = Event::from_body(text.as_bytes(), own.occurred_at).expect("its own body");
        assert_eq!((read.account(), &read), (Some(tenant.account()), &own));
        assert_eq!(read.body(), own.body());
    }

    #[test]
    fn a_storage_tells_the_tenant_by_account_and_body() {
        let tenant = Tenant::named("customer-42").expect("a tenant");
        let own = Event { tenant: Some(tenant.clone()), ..event(None) };
        assert_eq!(Tenant::of_body(tenant.account(), &own.body()).ok(), Some(tenant.clone()));
        // By the account alone it is the same tenant, and its text is that of the account.
        let typed = Event { tenant: Some(tenant.account().into()), ..event(None) };
        let found = Tenant::of_body(tenant.account(), &typed.body()).expect("its own body");
        assert_eq!((found.account(), found.to_string()), (tenant.account(), tenant.account().to_string()));
        for other in [event(None), event(Some(7)), Event { tenant: Tenant::named("x").ok(), ..event(None) }] {
            assert!(Tenant::of_body(tenant.account(), &other.body()).is_err());
        }
        let plain = AccountId::from_uuid(Uuid::from_u128(7));
        assert_eq!(Tenant::of_body(plain, b"not looked at").ok(), Some(plain.into()));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_filter("JSON has no others", |number| number.is_finite()).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn an_event_survives_its_body_and_the_body_its_event(
            account in any::<Option<u128>>(),
            total in value(),
            lines in value(),
        ) {
            let event = event(account).with("total", total).with("lines", lines);
            let read = Event::from_body(&event.body(), event.occurred_at).expect("its own body");
            prop_assert_eq!(&read, &event);
            prop_assert_eq!(read.body(), event.body());
        }
    }
}
