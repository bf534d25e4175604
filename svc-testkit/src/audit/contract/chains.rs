//! Chains: one per company, numbered from 1, sealed.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use svc_core::audit::{Broken, Entry, Fault, Head, Record, Verifier, Walk};
use svc_core::id::AccountId;

use super::{Fixture, append, entries, recorded, records, try_append, verified};
use crate::audit::entry;
use crate::business::sample::id;

/// Also when one call names both.
pub async fn each_company_has_a_chain_of_its_own(fixture: Fixture<'_>) {
    let [acme, beta]: [AccountId; 2] = [id(1), id(2)];
    let mixed = [entry(acme, 0), entry(beta, 1), entry(acme, 2), entry(beta, 3), entry(acme, 4)];
    append(fixture, &mixed).await;
    append(fixture, &entries(beta, 5..7)).await;
    for (account, length) in [(acme, 3), (beta, 4)] {
        let records = records(fixture, account).await;
        let numbers: Vec<_> = records.iter().map(|record| record.number).collect();
        assert_eq!(numbers, (1..=length).collect::<Vec<_>>());
        assert!(records.iter().all(|record| record.entry.account == account));
        assert_eq!(verified(fixture, account).await, length);
    }
    assert_eq!(records(fixture, id(404)).await, []);
}

/// And a record that was changed does not.
pub async fn records_of_units_one_after_the_other_verify(fixture: Fixture<'_>) {
    let account = id(1);
    for number in 0..5 {
        append(fixture, &[entry(account, number)]).await;
    }
    assert_eq!(verified(fixture, account).await, 5);

    let mut forged = records(fixture, account).await;
    let third = forged.get_mut(2).expect("there are five");
    third.entry.subject.push('x');
    let verdict = fixture.keys().verify(Walk::default(), &forged);
    assert_eq!(verdict, Err(Broken::Seal { number: 3 }));
}

/// Of every company that has records.
pub async fn heads_are_the_newest_records(fixture: Fixture<'_>) {
    let accounts: [AccountId; 3] = [id(3), id(1), id(2)];
    let mut lengths = BTreeMap::new();
    for (account, length) in accounts.into_iter().zip([2, 1, 4]) {
        append(fixture, &entries(account, 0..length)).await;
        append(fixture, &entries(account, 100..100 + length)).await;
        lengths.insert(account, u64::from(2 * length));
    }
    let companies = fixture.reader().companies().await.expect("read");
    let companies: Vec<_> = companies.into_iter().map(|company| company.expect("an id")).collect();
    assert_eq!(companies, lengths.keys().copied().collect::<Vec<_>>());
    for (account, length) in lengths {
        let newest = records(fixture, account)
            .await
            .last()
            .map(|Record { number, seal, .. }| Head { number: *number, seal: *seal });
        let head = fixture.reader().head(account).await.expect("read");
        assert_eq!(head, newest.map(Ok));
        assert_eq!(newest.map(|newest| newest.number), Some(length));
    }
}

/// To a verification the whole log is gone then.
pub async fn a_company_without_records_has_no_log(fixture: Fixture<'_>) {
    append(fixture, &entries(id(1), 0..2)).await;
    assert_eq!(fixture.reader().head(id(404)).await.expect("read"), None);
    let keys = fixture.keys();
    let verifier = Verifier { reader: fixture.reader(), keys: &keys, expected: &[] };
    let finding = verifier.verify(id(404), |_| {}).await.expect("read");
    assert_eq!(finding.fault, Some(Fault::Missing));
}

/// As many as asked for.
pub async fn records_come_in_order_after_a_number(fixture: Fixture<'_>) {
    let account = id(1);
    append(fixture, &entries(account, 0..7)).await;
    append(fixture, &entries(id(2), 0..9)).await;
    for (after, limit, expected) in [
        (0, 3, vec![1, 2, 3]),
        (3, 3, vec![4, 5, 6]),
        (6, 3, vec![7]),
        (7, 3, vec![]),
        (2, 100, vec![3, 4, 5, 6, 7]),
    ] {
        let records = fixture.reader().records(account, after, limit).await.expect("read");
        let numbers: Vec<_> =
            records.into_iter().map(|record| record.expect("as it was written").number).collect();
        assert_eq!(numbers, expected, "{limit} after {after}");
    }
}

/// Each of them commits: waiting for each other is the store's affair.
pub async fn units_at_once_leave_no_gap_and_no_double_number(fixture: Fixture<'_>) {
    let account = id(1);
    let batches: Vec<Vec<Entry>> = (0..12).map(|unit| entries(account, unit * 10..unit * 10 + 2)).collect();
    let outcomes = join_all(batches.iter().map(|batch| try_append(fixture, batch))).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(verified(fixture, account).await, 24);
    let mut found = recorded(fixture, account).await;
    found.sort_by_key(|entry| entry.at);
    assert_eq!(found, batches.concat());
}

/// Two units that wait for each other would both wait for ever.
pub async fn units_at_once_may_name_companies_in_any_order(fixture: Fixture<'_>) {
    let accounts: [AccountId; 3] = [id(1), id(2), id(3)];
    let batches: Vec<Vec<Entry>> = (0..12)
        .map(|unit| {
            let mut batch: Vec<_> = accounts.iter().map(|account| entry(*account, unit)).collect();
            batch.rotate_left(usize::try_from(unit % 3).expect("below three"));
            if unit % 2 == 1 {
                batch.reverse();
            }
            batch
        })
        .collect();
    let outcomes = join_all(batches.iter().map(|batch| try_append(fixture, batch))).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    for account in accounts {
        assert_eq!(verified(fixture, account).await, 12);
    }
}
