//! Passwords and failed attempts, where the engines and the sealing matter.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Statement};
use svc_auth::ports::{Failures, SessionUnit, ThrottleKey};
use svc_auth::session::{Password, PasswordHash};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId, UserId};
use svc_core::resource::Version;
use svc_storage_seaorm::Database;
use svc_testkit::audit::noted;
use uuid::Uuid;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW};

on_both! {
    attempts_at_once_are_counted_one_by_one
    a_password_hash_is_sealed_for_its_person
}

fn person(number: u128) -> UserId {
    UserId::from_uuid(Uuid::from_u128(number))
}

fn password(number: u128, hash: &str) -> Password {
    let hash = PasswordHash::from_stored(hash.to_owned());
    Password { user: person(number), hash, set_at: NOW, version: Version::FIRST }
}

async fn put(unit: Box<dyn SessionUnit>, password: &Password) -> Result<(), StoreError> {
    unit.passwords().put(None, password).await?;
    noted(&*unit, AccountId::from_uuid(Uuid::from_u128(1))).await?;
    unit.commit().await
}

async fn begin(database: &Database) -> Box<dyn SessionUnit> {
    database.sessions().begin().await.expect("a unit")
}

async fn attempts_at_once_are_counted_one_by_one(fresh: &Fresh) {
    let nodes = fresh.nodes().await;
    let (email, address) = (ThrottleKey([1; 32]), ThrottleKey([2; 32]));
    let charging = nodes.iter().cycle().take(24).enumerate().map(|(task, node)| {
        let storage = node.sessions();
        // Keys in any order: no two units wait for each other.
        let keys = if task % 2 == 0 { [email, address] } else { [address, email] };
        tokio::spawn(async move {
            let forget = NOW.minus(Duration::from_mins(15));
            storage.attempts().charge(&keys, forget, NOW).await.expect("charged")
        })
    });
    let before: Vec<Vec<Failures>> =
        join_all(charging).await.into_iter().map(|before| before.expect("no panic")).collect();
    let counts: BTreeSet<Vec<u32>> =
        before.iter().map(|both| both.iter().map(|one| one.count).collect()).collect();
    assert_eq!(counts, (0..24).map(|count| vec![count, count]).collect(), "each saw those before it");
    let failures = fresh.database.sessions().attempts().failures(&[address]).await.expect("read");
    assert_eq!(failures, [Failures { count: 24, last_at: NOW }]);
}

async fn a_password_hash_is_sealed_for_its_person(fresh: &Fresh) {
    for (number, hash) in [(1, "$argon2id$one"), (2, "$argon2id$two")] {
        put(begin(&fresh.database).await, &password(number, hash)).await.expect("put");
    }
    let storage = fresh.database.sessions();
    let found = storage.passwords().find(person(2)).await.expect("read");
    assert_eq!(found, Some(password(2, "$argon2id$two")));

    let raw = fresh.raw().await;
    let select = Statement::from_string(raw.get_database_backend(), "SELECT hash FROM svc_passwords");
    for row in raw.query_all_raw(select).await.expect("read") {
        let stored: Vec<u8> = row.try_get_by_index(0).expect("bytes");
        assert!(!stored.windows(6).any(|window| window == b"argon2"), "the hash is in the open");
    }
    // Who can write the table still cannot give a person a password that they know.
    fresh.sql("UPDATE svc_passwords SET hash = (SELECT hash FROM svc_passwords ORDER BY hash LIMIT 1)").await;
    let mut opened = 0;
    for number in [1, 2] {
        let found = storage.passwords().find(person(number)).await.expect("read").expect("stored");
        opened += usize::from(!found.hash.as_str().is_empty());
    }
    assert_eq!(opened, 1, "only the one in its own place is a hash");
}
