//! What assistants called.

use svc_auth::approval::CallDigest;
use svc_auth::calls::CallRecord;
use svc_core::id::CallId;

use super::{Storage, at, id};

fn call(number: u8, credential: u128, second: i64) -> CallRecord {
    CallRecord {
        id: id(u128::from(number)),
        at: at(second),
        company: id(500),
        person: (number != 2).then(|| id(600)),
        credential: id(credential),
        client: "Desk \"y\" 1.0".to_owned(),
        revision: "2026-07-28".to_owned(),
        tool: "contacts_find".to_owned(),
        arguments: r#"{"q":"***"}"#.to_owned(),
        digest: CallDigest::of(&[&number.to_string()]),
        touched: (0..number).map(|touched| format!("con_{touched}")).collect(),
        outcome: "done".to_owned(),
        from: (number != 2).then(|| "2001:db8::1".parse().expect("an address")),
    }
}

async fn last(storage: Storage<'_>, credential: u128, most: u32) -> Vec<CallRecord> {
    storage.calls().last(id(credential), most).await.expect("read")
}

/// Every member survives the store; a batch that is written again adds nothing.
pub async fn calls_are_kept_once_and_read_from_the_newest(storage: Storage<'_>) {
    let calls = [call(1, 100, 10), call(2, 100, 30), call(3, 100, 20), call(4, 101, 40)];
    storage.calls().append(&calls).await.expect("added");
    storage.calls().append(&calls[1..]).await.expect("added again");
    storage.calls().append(&[]).await.expect("nothing");
    assert_eq!(last(storage, 100, 10).await, [calls[1].clone(), calls[2].clone(), calls[0].clone()]);
    assert_eq!(last(storage, 100, 2).await, [calls[1].clone(), calls[2].clone()]);
    assert_eq!(last(storage, 101, 10).await, [calls[3].clone()]);
    assert_eq!(last(storage, 102, 10).await, []);
}

/// As many as wait at most come in one batch.
pub async fn many_calls_are_kept_in_one_batch(storage: Storage<'_>) {
    let calls: Vec<_> = (0..2_500_i64)
        .map(|number| CallRecord {
            id: id::<CallId>(10_000 + u128::from(number.unsigned_abs())),
            ..call(1, 100, number)
        })
        .collect();
    storage.calls().append(&calls).await.expect("added");
    let newest = last(storage, 100, 3).await;
    let expected: Vec<_> = calls.iter().rev().take(3).cloned().collect();
    assert_eq!(newest, expected);
    assert_eq!(storage.calls().purge(at(2_490)).await.expect("purged"), 2_490);
    assert_eq!(last(storage, 100, 100).await.len(), 10);
}

/// Those before an instant are forgotten.
pub async fn old_calls_are_forgotten(storage: Storage<'_>) {
    storage.calls().append(&[call(1, 100, 10), call(2, 100, 30)]).await.expect("added");
    assert_eq!(storage.calls().purge(at(30)).await.expect("purged"), 1);
    assert_eq!(last(storage, 100, 10).await, [call(2, 100, 30)]);
}
