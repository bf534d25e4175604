//! The chain of the audit log against writers side by side, and against those who can write the tables.

use futures_util::future::join_all;
use svc_core::audit::{Broken, Walk};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::Database;
use svc_testkit::audit::entry;
use uuid::Uuid;

use crate::both::on_both;
use crate::fresh::{Fresh, keys};

on_both! {
    processes_side_by_side_make_one_chain_without_gaps
    a_record_that_was_changed_is_found
    a_record_that_was_taken_out_is_found
    a_record_that_was_put_in_is_found
    records_cut_off_the_end_are_found
    another_companys_record_does_not_fit
    a_unit_of_many_companies_commits
}

fn company(number: u128) -> AccountId {
    AccountId::from_uuid(Uuid::from_u128(number))
}

async fn append(database: &Database, companies: &[AccountId], number: u32) -> Result<(), StoreError> {
    let unit = database.begin().await?;
    let entries: Vec<_> = companies.iter().map(|company| entry(*company, number)).collect();
    unit.audit().append(&entries).await?;
    unit.commit().await
}

/// A log of five records of the first company, and of one of the second.
async fn five(fresh: &Fresh) {
    for number in 1..=5 {
        append(&fresh.database, &[company(1)], number).await.expect("committed");
    }
    append(&fresh.database, &[company(2)], 1).await.expect("committed");
}

/// The length of a company's chain, or where it breaks.
async fn verify(database: &Database, account: AccountId) -> Result<u64, Broken> {
    let audit = database.audit();
    let heads = audit.heads().await.expect("read");
    let records = audit.records(account, 0, 1_000).await.expect("read");
    let walk = keys().chain_keys().verify(Walk::default(), &records)?;
    let head = heads.into_iter().find(|(company, _)| *company == account).expect("a head");
    walk.end_at(head.1)?;
    Ok(walk.number())
}

async fn processes_side_by_side_make_one_chain_without_gaps(fresh: &Fresh) {
    let nodes = fresh.nodes().await;
    // No unit has appended yet: the first units race for the very first number, in both orders of companies.
    let appending = nodes.iter().cycle().take(16).enumerate().map(|(task, node)| {
        let node = node.clone();
        tokio::spawn(async move {
            let order = if task % 2 == 0 { [company(1), company(2)] } else { [company(2), company(1)] };
            for round in 0..5 {
                append(&node, &order, round).await.expect("committed");
            }
        })
    });
    for appended in join_all(appending).await {
        appended.expect("no panic");
    }
    assert_eq!(verify(&fresh.database, company(1)).await, Ok(80));
    assert_eq!(verify(&fresh.database, company(2)).await, Ok(80));
}

async fn a_record_that_was_changed_is_found(fresh: &Fresh) {
    five(fresh).await;
    assert_eq!(verify(&fresh.database, company(1)).await, Ok(5));
    fresh.sql("UPDATE svc_audit_records SET subject = 'tok_x' WHERE number = 3").await;
    assert_eq!(verify(&fresh.database, company(1)).await, Err(Broken::Seal { number: 3 }));
}

async fn a_record_that_was_taken_out_is_found(fresh: &Fresh) {
    five(fresh).await;
    fresh.sql("DELETE FROM svc_audit_records WHERE number = 2").await;
    let missing = Broken::Number { expected: 2, found: 3 };
    assert_eq!(verify(&fresh.database, company(1)).await, Err(missing));
    // The numbers closed up again do not help.
    for number in 3..=5 {
        fresh.sql(&format!("UPDATE svc_audit_records SET number = number - 1 WHERE number = {number}")).await;
    }
    assert_eq!(verify(&fresh.database, company(1)).await, Err(Broken::Seal { number: 2 }));
}

async fn a_record_that_was_put_in_is_found(fresh: &Fresh) {
    five(fresh).await;
    fresh.sql(&copied("account_id", 6, 5)).await;
    assert_eq!(verify(&fresh.database, company(1)).await, Err(Broken::Seal { number: 6 }));
}

async fn records_cut_off_the_end_are_found(fresh: &Fresh) {
    five(fresh).await;
    fresh.sql("DELETE FROM svc_audit_records WHERE number > 3").await;
    let cut = Broken::Cut { expected: 5, found: Some(3) };
    assert_eq!(verify(&fresh.database, company(1)).await, Err(cut));
}

async fn another_companys_record_does_not_fit(fresh: &Fresh) {
    five(fresh).await;
    let other = "(SELECT account_id FROM svc_audit_heads WHERE number = 1)";
    fresh.sql(&copied(other, 2, 2)).await;
    assert_eq!(verify(&fresh.database, company(2)).await, Err(Broken::Seal { number: 2 }));
}

/// Puts a copy of the record with the number `of` into a company's log.
fn copied(company: &str, number: u32, of: u32) -> String {
    let columns = "occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, \
         state_before, state_after, seal_key, seal";
    format!(
        "INSERT INTO svc_audit_records (account_id, number, {columns}) \
         SELECT {company}, {number}, {columns} FROM svc_audit_records WHERE number = {of}"
    )
}

async fn a_unit_of_many_companies_commits(fresh: &Fresh) {
    let companies: Vec<AccountId> = (1..=2_500).map(company).collect();
    for number in 1..=2 {
        append(&fresh.database, &companies, number).await.expect("committed");
    }
    let heads = fresh.database.audit().heads().await.expect("read");
    assert_eq!(heads.len(), 2_500);
    assert!(heads.iter().all(|(_, head)| head.number == 2));
    assert_eq!(verify(&fresh.database, company(2_500)).await, Ok(2));
}
