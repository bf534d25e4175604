//! The storage in memory keeps the contract that it is used to test against.

use svc_auth::ports::AuthStorage;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::EventData;
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, EventId, TokenId, TypedId, UserId};
use svc_core::idempotency::{Caller, Fence, Reply, RequestKey};
use svc_core::page::PageRules;
use svc_testkit::audit::noted;
use svc_testkit::auth::MemoryAuth;
use svc_testkit::business::sample::everything;
use uuid::Uuid;

async fn memory() -> Option<MemoryAuth> {
    Some(MemoryAuth::new())
}

svc_testkit::auth_storage_contract!(contract, memory);

/// Not in the contract: an adapter may let the second unit wait for the first.
#[tokio::test]
async fn of_two_open_units_on_one_token_the_first_commit_wins() {
    let storage = MemoryAuth::new();
    let token = svc_testkit::auth::token(1, user(), account());
    let unit = storage.begin().await.unwrap();
    unit.tokens().insert(&token).await.unwrap();
    noted(&*unit, account()).await.unwrap();
    unit.commit().await.unwrap();

    let now = Timestamp::default();
    let (first, second) = (storage.begin().await.unwrap(), storage.begin().await.unwrap());
    let off = token.clone().disable(now).unwrap();
    first.tokens().replace(token.version, &off).await.unwrap();
    second.tokens().replace(token.version, &token.clone().revoke(now).unwrap()).await.unwrap();
    second.tokens().insert(&svc_testkit::auth::token(2, user(), account())).await.unwrap();
    noted(&*first, account()).await.unwrap();
    noted(&*second, account()).await.unwrap();
    first.commit().await.unwrap();
    assert!(matches!(second.commit().await, Err(StoreError::Conflict)));
    assert_eq!(
        storage.tokens().page(&everything(), PageRules::USUAL.page(None, None).unwrap()).await.unwrap().items,
        [off]
    );
}

#[tokio::test]
async fn events_and_replies_become_visible_with_the_commit() {
    let storage = MemoryAuth::new();
    let key = RequestKey { caller: Caller::Token(TokenId::from_uuid(Uuid::from_u128(1))), key: "k".into() };
    let reply = Reply { status: 201, headers: vec![], masked: vec![], full: None, companies: vec![] };
    let event = Event {
        id: EventId::from_uuid(Uuid::from_u128(1)),
        kind: EventType::of("contact.create"),
        occurred_at: Timestamp::default(),
        tenant: None,
        object: "contact".into(),
        object_id: String::new(),
        data: EventData::default(),
    };
    for commit in [false, true] {
        let unit = storage.begin().await.unwrap();
        unit.outbox().publish(std::slice::from_ref(&event)).await.unwrap();
        unit.replies().keep(&key, Fence(1), &reply).await.unwrap();
        assert_eq!((storage.events().len(), storage.reply(&key)), (0, None));
        if commit {
            unit.commit().await.unwrap();
        }
    }
    assert_eq!((storage.events(), storage.reply(&key)), (vec![event], Some(reply.clone())));

    let unit = storage.begin().await.unwrap();
    let overtaken = unit.replies().keep(&key, Fence(0), &reply).await;
    assert!(matches!(overtaken, Err(StoreError::Conflict)));
}

fn user() -> UserId {
    UserId::from_uuid(Uuid::from_u128(1))
}

fn account() -> AccountId {
    AccountId::from_uuid(Uuid::from_u128(2))
}
