//! Units of work: all or nothing, and nothing before the commit.

use std::sync::Arc;

use svc_core::clock::Timestamp;
use svc_core::event::EventData;
use svc_core::event::{Event, EventType};
use svc_core::id::AccountId;

use super::{PublishedEvents, Storage, put_accounts};
use crate::business::sample::{at, everything, id, organization, user};

/// Dropping a unit undoes everything it did.
pub async fn a_dropped_unit_leaves_nothing(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let kept = organization(company, 10, "Queda SL");
    let unit = storage.begin().await.expect("begin");
    unit.contacts().insert(&everything(), &kept).await.expect("insert");
    unit.commit().await.expect("commit");

    let unit = storage.begin().await.expect("begin");
    let fresh = organization(company, 11, "Efímera SL");
    unit.contacts().insert(&everything(), &fresh).await.expect("insert");
    unit.contacts().erase(&everything(), &kept).await.expect("delete");
    unit.people().insert_user(&user(30, "ana@correo.example")).await.expect("insert");
    assert_eq!(unit.contacts().find(&everything(), fresh.id).await.expect("find"), Some(fresh.clone()));
    drop(unit);

    // The next unit starts from what was committed.
    let unit = storage.begin().await.expect("begin");
    assert_eq!(unit.contacts().find(&everything(), fresh.id).await.expect("find"), None);
    assert_eq!(unit.contacts().find(&everything(), kept.id).await.expect("find"), Some(kept.clone()));
    drop(unit);
    assert_eq!(storage.contacts().find(&everything(), kept.id).await.expect("find"), Some(kept));
    assert_eq!(storage.people().user(id(30)).await.expect("find"), None);
}

/// Readers see a change with the commit and not before.
pub async fn a_change_is_seen_with_its_commit(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let contact = organization(company, 10, "Luego SL");
    let unit = storage.begin().await.expect("begin");
    unit.contacts().insert(&everything(), &contact).await.expect("insert");
    assert_eq!(storage.contacts().find(&everything(), contact.id).await.expect("find"), None);
    unit.commit().await.expect("commit");
    assert_eq!(storage.contacts().find(&everything(), contact.id).await.expect("find"), Some(contact));
}

/// Events come out with the commit, in order and byte for byte; those of a dropped unit never do.
pub async fn events_are_published_with_the_commit((storage, events): (Storage, Arc<dyn PublishedEvents>)) {
    let [company] = put_accounts(&storage).await;
    let [first, second, lost] = [at(1), at(2), at(3)].map(|now| event(company, now));
    let unit = storage.begin().await.expect("begin");
    unit.outbox().publish(&[first.clone(), second.clone()]).await.expect("publish");
    assert_eq!(events.bodies().await, Vec::<Vec<u8>>::new());
    unit.commit().await.expect("commit");
    let unit = storage.begin().await.expect("begin");
    unit.outbox().publish(&[lost]).await.expect("publish");
    drop(unit);
    assert_eq!(events.bodies().await, [first.body(), second.body()]);
}

fn event(company: AccountId, now: Timestamp) -> Event {
    Event {
        id: id(u128::from(now.unix_micros().unsigned_abs())),
        kind: EventType::of("contact.create"),
        occurred_at: now,
        tenant: Some(company.into()),
        object: "contact".into(),
        object_id: "con_x".to_owned(),
        data: EventData::default(),
    }
}
