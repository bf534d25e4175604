//! Entries and the units that append them.

use std::borrow::Cow;

use svc_core::audit::{Action, Actor, Details, Entry, Who};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, RequestId, SessionId, TokenId, UserId};

use super::{Fixture, append, entries, recorded, records, verified};
use crate::audit::entry;
use crate::business::sample::id;

/// And not before.
pub async fn an_entry_becomes_visible_with_the_commit(fixture: Fixture<'_>) {
    let account = id(1);
    let entry = entry(account, 1);
    let unit = fixture.begin().await.expect("begin");
    unit.audit().append(std::slice::from_ref(&entry)).await.expect("append");
    assert_eq!(recorded(fixture, account).await, []);
    unit.commit().await.expect("commit");
    let records = records(fixture, account).await;
    let numbered: Vec<_> = records.into_iter().map(|record| (record.number, record.entry)).collect();
    assert_eq!(numbered, [(1, entry)]);
}

/// The next unit takes the numbers that the dropped one had.
pub async fn entries_of_a_dropped_unit_vanish_and_leave_no_gap(fixture: Fixture<'_>) {
    let account = id(1);
    append(fixture, &entries(account, 0..2)).await;
    let unit = fixture.begin().await.expect("begin");
    unit.audit().append(&entries(account, 2..5)).await.expect("append");
    drop(unit);
    assert_eq!(recorded(fixture, account).await, entries(account, 0..2));
    append(fixture, &entries(account, 5..6)).await;
    let numbers: Vec<_> = records(fixture, account).await.iter().map(|record| record.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(verified(fixture, account).await, 3);
}

/// Of every actor, action and origin.
pub async fn an_entry_comes_back_whole(fixture: Fixture<'_>) {
    let account: AccountId = id(1);
    let actors = [
        Actor::OPERATOR,
        Actor::service("retention"),
        Actor {
            who: Who::Service(Cow::Borrowed("secret scanning: «leak»")),
            from: "192.0.2.1".parse().ok(),
            request: None,
        },
        Actor {
            who: Who::Token(id::<TokenId>(5)),
            from: "2001:db8::7".parse().ok(),
            request: Some(id::<RequestId>(6)),
        },
        Actor {
            who: Who::Person { user: id::<UserId>(7), session: id::<SessionId>(8) },
            from: None,
            request: Some(id::<RequestId>(9)),
        },
    ];
    let details = [None, Some(Details::from_stored("{\"name\":\"Ñandú 🧾\"}".to_owned()))];
    let mut all = Vec::new();
    for (place, action) in (0_i64..).zip(Action::ALL.iter().copied()) {
        for actor in &actors {
            all.push(Entry {
                account,
                at: Timestamp::from_unix_micros(1_738_314_900_123_457 + place),
                actor: actor.clone(),
                action,
                subject: format!("tok_{place}"),
                before: details.iter().cycle().nth(all.len()).cloned().flatten(),
                after: details.iter().cycle().nth(all.len() / 2).cloned().flatten(),
            });
        }
    }
    append(fixture, &all).await;
    assert_eq!(recorded(fixture, account).await, all);
    assert_eq!(verified(fixture, account).await, all.len() as u64);
}

/// The seal covers the bytes, so a store must not read them as JSON and write its own.
pub async fn details_come_back_byte_for_byte(fixture: Fixture<'_>) {
    let account = id(1);
    let texts = [
        "{ \"b\" : 1,\n\t\"a\":2 , \"a\": 3 }",
        "{\"n\":1.0,\"m\":1e400,\"long\":123456789012345678901234567890}",
        "\"\\u0000 \\u00f1 \\/ ñ \\ud83e\\uddfe\"",
        "\"' \\\" \\\\ % _ $1 ? :a\"",
        "null",
    ];
    let all: Vec<_> = (0..)
        .zip(texts)
        .map(|(number, text)| {
            let details = Some(Details::from_stored(text.to_owned()));
            Entry { before: details.clone(), after: details, ..entry(account, number) }
        })
        .collect();
    append(fixture, &all).await;
    assert_eq!(recorded(fixture, account).await, all);
    verified(fixture, account).await;
}

/// Within one call, over several calls, and with the same instant.
pub async fn entries_keep_the_order_in_which_they_were_appended(fixture: Fixture<'_>) {
    let account = id(1);
    let mut all = entries(account, 0..7);
    all.reverse();
    for entry in &mut all {
        entry.at = Timestamp::from_unix_seconds(9);
    }
    let unit = fixture.begin().await.expect("begin");
    let (first, second) = all.split_at(3);
    unit.audit().append(first).await.expect("append");
    unit.audit().append(second).await.expect("append");
    unit.commit().await.expect("commit");
    assert_eq!(recorded(fixture, account).await, all);
}

/// Not even a head.
pub async fn appending_nothing_adds_nothing(fixture: Fixture<'_>) {
    append(fixture, &[]).await;
    assert_eq!(fixture.reader().companies().await.expect("read"), []);
}
