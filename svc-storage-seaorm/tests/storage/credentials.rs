//! Sessions and tokens against those who can write their tables.

use std::time::Duration;

use svc_auth::session::Session;
use svc_auth::token::{Fingerprint, Token};
use svc_core::id::{AccountId, SessionId, TypedId, UserId};
use svc_testkit::audit::noted;
use svc_testkit::auth::token;
use uuid::Uuid;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW};

on_both! {
    a_session_that_was_given_to_another_person_does_not_work
    a_token_that_was_given_more_than_it_was_made_with_does_not_work
    the_code_of_one_row_does_not_fit_another
}

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

fn session(number: u8) -> Session {
    Session {
        id: id::<SessionId>(u128::from(number)),
        user: id::<UserId>(u128::from(number)),
        fingerprint: Fingerprint { pepper: 1, digest: [number; 32] },
        created_at: NOW,
        last_used_at: NOW,
        expires_at: NOW.plus(Duration::from_hours(12)),
        from: None,
        device: None,
        awaits_code: false,
    }
}

async fn add_session(fresh: &Fresh, session: &Session) {
    let unit = fresh.database.sessions().begin().await.expect("a unit");
    unit.sessions().insert(session).await.expect("inserted");
    unit.commit().await.expect("committed");
}

async fn find_session(fresh: &Fresh, session: &Session) -> Option<Session> {
    fresh.database.sessions().sessions().find_by_fingerprint(&[session.fingerprint]).await.expect("read")
}

async fn add_token(fresh: &Fresh, number: u128) -> Token {
    let token = token(number, id::<UserId>(number), id::<AccountId>(number));
    let unit = fresh.database.auth().begin().await.expect("a unit");
    unit.tokens().insert(&token).await.expect("inserted");
    noted(&*unit, token.primary).await.expect("noted");
    unit.commit().await.expect("committed");
    token
}

/// Whether a token is found by its value, and by its id for a change.
async fn works(fresh: &Fresh, token: &Token) -> [bool; 2] {
    let auth = fresh.database.auth();
    let by_value = auth.tokens().find_by_fingerprint(&[token.fingerprint]).await.expect("read");
    let by_id = auth.tokens().find(token.id).await.expect("read");
    [by_value.is_some(), by_id.is_some()]
}

async fn a_session_that_was_given_to_another_person_does_not_work(fresh: &Fresh) {
    let sessions = [1, 2, 3].map(session);
    for session in &sessions {
        add_session(fresh, session).await;
    }
    for change in [
        "user_id = (SELECT id FROM svc_sessions ORDER BY id LIMIT 1 OFFSET 1)",
        "expires_at = expires_at + 1",
        "created_at = created_at - 1",
    ] {
        let [mine, other, _] = &sessions;
        assert_eq!(find_session(fresh, mine).await.as_ref(), Some(mine));
        fresh.sql("CREATE TABLE kept AS SELECT * FROM svc_sessions").await;
        fresh.sql(&format!("UPDATE svc_sessions SET {change} WHERE pepper = 1 AND user_id = (SELECT user_id FROM svc_sessions ORDER BY user_id LIMIT 1)")).await;
        assert_eq!(find_session(fresh, mine).await, None, "{change}");
        assert_eq!(find_session(fresh, other).await.as_ref(), Some(other), "the others go on");
        fresh
            .sql("DELETE FROM svc_sessions; INSERT INTO svc_sessions SELECT * FROM kept; DROP TABLE kept")
            .await;
    }
    // What changes with each use is not bound.
    fresh.sql("UPDATE svc_sessions SET last_used_at = last_used_at + 1").await;
    assert!(find_session(fresh, &sessions[0]).await.is_some());
}

async fn a_token_that_was_given_more_than_it_was_made_with_does_not_work(fresh: &Fresh) {
    let changes = [
        "primary_account_id = (SELECT id FROM svc_tokens ORDER BY id LIMIT 1)",
        "created_by = (SELECT id FROM svc_tokens ORDER BY id LIMIT 1)",
        "created_by = NULL",
        "companies = '[\"acc_00000000000000000000000001\"]'",
        "groups = '[\"grp_00000000000000000000000001\"]'",
        "grants = '[\"read\"]'",
        "allowed_ips = '[\"203.0.113.7\"]'",
        "personal_data = true",
        "client_id = 'https://app.example/client.json', connection_role = 2",
        "state = 1",
        "expires_at = 4102444800000000",
        "created_at = created_at - 1",
    ];
    let other = add_token(fresh, 1).await;
    for (number, change) in (100..).zip(changes) {
        let token = add_token(fresh, number).await;
        assert_eq!(works(fresh, &token).await, [true, true]);
        fresh.sql(&format!("UPDATE svc_tokens SET {change} WHERE name = 'token {number}'")).await;
        assert_eq!(works(fresh, &token).await, [false, false], "{change}");
    }
    fresh.sql("UPDATE svc_tokens SET last_used_at = 1, last_used_from = '203.0.113.7'").await;
    assert_eq!(works(fresh, &other).await, [true, true], "uses are not bound");
}

async fn the_code_of_one_row_does_not_fit_another(fresh: &Fresh) {
    let [one, two] = [add_token(fresh, 1).await, add_token(fresh, 2).await];
    fresh
        .sql("UPDATE svc_tokens SET binding = (SELECT binding FROM svc_tokens WHERE name = 'token 2')")
        .await;
    assert_eq!(works(fresh, &one).await, [false, false]);
    assert_eq!(works(fresh, &two).await, [true, true]);
}
