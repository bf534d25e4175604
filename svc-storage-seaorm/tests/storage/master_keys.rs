//! Master keys: a wrong one is told, one can be replaced, and what still needs an old one is known.

use svc_auth::oauth::Pair;
use svc_auth::ports::{AuthUnit as _, SessionUnit as _};
use svc_auth::session::{Password, PasswordHash};
use svc_auth::token::{Fingerprint, Lifecycle, Token};
use svc_core::id::{AccountId, GrantId, TypedId, UserId};
use svc_core::resource::Version;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::{Database, KeyUse, Keys, OpenError, Settings};
use svc_testkit::audit::noted;
use svc_testkit::auth::token;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::ports::WebhookUnit as _;
use uuid::Uuid;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW};

on_both! {
    an_old_key_opens_what_it_sealed_until_it_is_left_out
    what_needs_which_key_is_counted
}

fn one() -> Keys {
    Keys::new(1, [7; 32])
}

fn two() -> Keys {
    Keys::new(2, [8; 32])
}

fn password() -> Password {
    let user = UserId::from_uuid(Uuid::from_u128(2));
    let hash = PasswordHash::from_stored("$argon2id$".to_owned());
    Password { user, hash, set_at: NOW, version: Version::FIRST }
}

/// The same database, opened with other keys by the only process that has it.
async fn reopened(settings: &Settings, keys: Keys) -> Result<Database, OpenError> {
    Database::open(&settings.clone().keys(keys)).await
}

async fn an_old_key_opens_what_it_sealed_until_it_is_left_out(fresh: &Fresh) {
    let samples = Samples::new(3);
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    let unit = fresh.database.begin().await.expect("a unit");
    unit.subscriptions().insert(&subscription, 20).await.expect("inserted");
    unit.passwords().put(None, &password()).await.expect("put");
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");
    fresh.database.close().await;

    let alone = reopened(&fresh.settings, two()).await.expect_err("the new key alone");
    assert!(matches!(alone, OpenError::WrongMasterKey), "{alone}");
    let both = reopened(&fresh.settings, two().with_older(1, [7; 32])).await.expect("opened");
    both.migrate(NOW).await.expect("nothing to do");
    let found = both.webhooks().subscriptions().find(&scope([subscription.account]), subscription.id).await;
    assert_eq!(found.expect("read"), Some(subscription.clone()));
    both.close().await;

    // From now on the old key alone is the wrong one, and the new one alone opens the database.
    let left = reopened(&fresh.settings, one()).await.expect_err("the old key alone");
    assert!(matches!(left, OpenError::WrongMasterKey), "{left}");
    let new = reopened(&fresh.settings, two()).await.expect("opened");
    let kept = new.sessions().passwords().find(password().user).await;
    assert_eq!(kept.expect("sealed anew when both keys were known"), Some(password()));
    let lost = new.webhooks().subscriptions().find(&scope([subscription.account]), subscription.id).await;
    assert!(lost.is_err(), "what the old key sealed stays closed: {lost:?}");
    new.close().await;
}

async fn what_needs_which_key_is_counted(fresh: &Fresh) {
    let account = AccountId::from_uuid(Uuid::from_u128(1));
    let made = |number: u128, pepper: u32, lifecycle: Lifecycle| {
        let plain = token(number, UserId::from_uuid(Uuid::from_u128(2)), account);
        Token { fingerprint: Fingerprint { pepper, ..plain.fingerprint }, lifecycle, ..plain }
    };
    let samples = Samples::new(4);
    let unit = fresh.database.begin().await.expect("a unit");
    let revoked = Lifecycle::Revoked { at: NOW };
    for token in [
        made(1, 1, Lifecycle::Active),
        made(2, 1, Lifecycle::Disabled),
        made(3, 2, Lifecycle::Active),
        made(4, 9, revoked),
    ] {
        unit.tokens().insert(&token).await.expect("inserted");
    }
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    unit.subscriptions().insert(&subscription, 20).await.expect("inserted");
    unit.passwords().put(None, &password()).await.expect("put");
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");
    let unit = fresh.database.oauth().begin().await.expect("a unit");
    let pairs = [(1, 2, None), (2, 1, Some(NOW))].map(|(number, pepper, refreshed_at)| Pair {
        grant: GrantId::from_uuid(Uuid::from_u128(number)),
        access: Fingerprint { pepper, digest: [pepper.to_be_bytes()[3]; 32] },
        access_until: NOW,
        refresh: Fingerprint { pepper, digest: [pepper.to_be_bytes()[3] + 10; 32] },
        refresh_until: NOW,
        refreshed_at,
    });
    for pair in &pairs {
        unit.grants().give(pair).await.expect("given");
    }
    unit.commit().await.expect("committed");
    let expected = [
        KeyUse { id: 1, tokens: 2, secrets: 1, passwords: 1, factors: 0, connections: 0, records: 1 },
        KeyUse { id: 2, tokens: 1, secrets: 0, passwords: 0, factors: 0, connections: 1, records: 0 },
    ];
    assert_eq!(fresh.database.key_uses().await.expect("read"), expected);
}
