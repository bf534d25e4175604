//! The storage in memory keeps the contract of business storage.

use std::sync::Arc;

use svc_business::ports::BusinessStorage;
use svc_core::error::StoreError;
use svc_testkit::business::contract::PublishedEvents;
use svc_testkit::business::sample::{everything, organization};
use svc_testkit::business::{MemoryBusiness, sample};

svc_testkit::business_storage_contract!(empty);
svc_testkit::business_outbox_contract!(with_events);

#[expect(clippy::unused_async, reason = "the contract awaits the storage that it is given")]
async fn empty() -> Arc<dyn BusinessStorage> {
    Arc::new(MemoryBusiness::new())
}

async fn with_events() -> (Arc<dyn BusinessStorage>, Arc<dyn PublishedEvents>) {
    let storage = MemoryBusiness::new();
    (Arc::new(storage.clone()), Arc::new(storage))
}

#[tokio::test]
async fn of_two_units_that_change_one_record_the_later_commit_fails_whole() {
    let storage = MemoryBusiness::new();
    let company = sample::bare_account(1);
    let unit = storage.begin().await.expect("begin");
    unit.accounts().insert(&everything(), &company).await.expect("insert");
    unit.commit().await.expect("commit");

    let [first, second] = [storage.begin().await.expect("begin"), storage.begin().await.expect("begin")];
    for unit in [&first, &second] {
        let mut changed = company.clone();
        changed.version = company.version.next();
        changed.api_access = !changed.api_access;
        unit.accounts().replace(&everything(), company.version, &changed).await.expect("replace");
    }
    let contact = organization(company.id, 10, "Segunda SL");
    second.contacts().insert(&everything(), &contact).await.expect("insert");
    first.commit().await.expect("the first commit");
    assert!(matches!(second.commit().await, Err(StoreError::Conflict)));
    assert_eq!(storage.contacts().find(&everything(), contact.id).await.expect("find"), None);
}
