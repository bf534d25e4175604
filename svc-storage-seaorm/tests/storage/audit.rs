//! The chain of the audit log against writers side by side.

use futures_util::future::join_all;
use svc_core::audit::{Fault, Verifier};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::Database;
use svc_testkit::audit::{entry, heads};
use uuid::Uuid;

use crate::both::on_both;
use crate::fresh::{Fresh, keys};

on_both! {
    processes_side_by_side_make_one_chain_without_gaps
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

/// The length of a company's chain, or where it breaks.
async fn verify(database: &Database, account: AccountId) -> Result<u64, Fault> {
    let (audit, keys) = (database.audit(), keys().chain_keys());
    let verifier = Verifier { reader: &*audit, keys: &keys, expected: &[] };
    let finding = verifier.verify(account, |_| {}).await.expect("read");
    finding.fault.map_or(Ok(finding.last.map_or(0, |last| last.number)), Err)
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

async fn a_unit_of_many_companies_commits(fresh: &Fresh) {
    let companies: Vec<AccountId> = (1..=2_500).map(company).collect();
    for number in 1..=2 {
        append(&fresh.database, &companies, number).await.expect("committed");
    }
    let heads = heads(&*fresh.database.audit()).await;
    assert_eq!(heads.len(), 2_500);
    assert!(heads.values().all(|head| head.number == 2));
    assert_eq!(verify(&fresh.database, company(2_500)).await, Ok(2));
}
