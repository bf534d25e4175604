//! The audit log against those who can write its tables.
//!
//! Each kind of tampering has a company of its own in one database, so one verification of all of them shows
//! that a broken log of one company hides no other one.

mod kinds;

use std::collections::BTreeMap;

use svc_core::audit::{Action, Actor, Details, Entry, Fault, Mark, Verifier, Who};
use svc_core::id::{AccountId, RequestId, SessionId, TokenId, TypedId, UserId};
use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::Engine;
use svc_testkit::audit::heads;
use svc_testkit::auth::AuthSeed;
use uuid::Uuid;

use self::kinds::{KINDS, Kind};
use crate::both::on_both;
use crate::fresh::{Fresh, NOW, keys};

on_both! {
    each_kind_of_tampering_is_found_and_named
    newest_records_cut_off_with_their_head_show_against_a_kept_head
    a_company_that_is_forgotten_altogether_shows_against_a_kept_head
    a_row_of_no_company_is_named
}

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

/// A company that is there, with a log of five records, each by another kind of actor.
async fn company(fresh: &Fresh, number: u128) -> AccountId {
    let account: AccountId = id(number);
    fresh.add_company(account, "Acme", None).await;
    let actors = [
        Who::Operator,
        Who::Token(id(7)),
        Who::Person { user: id::<UserId>(8), session: id::<SessionId>(9) },
        Who::Service("secret scanning".into()),
        Who::Operator,
    ];
    let unit = fresh.database.begin().await.expect("a unit");
    for (number, who) in actors.into_iter().enumerate() {
        let entry = Entry {
            account,
            at: NOW,
            actor: Actor { who, from: "2001:db8::7".parse().ok(), request: Some(id::<RequestId>(10)) },
            action: Action::TokenDisable,
            subject: id::<TokenId>(number as u128).to_string(),
            before: Some(Details::of(&serde_json::json!({"state": "active"}))),
            after: Some(Details::of(&serde_json::json!({"state": "disabled"}))),
        };
        unit.audit().append(&[entry]).await.expect("appended");
    }
    unit.commit().await.expect("committed");
    account
}

/// What is wrong with the log of each company that has one, or ought to.
async fn faults(fresh: &Fresh, expected: &[Mark]) -> BTreeMap<AccountId, Option<Fault>> {
    let (audit, keys) = (fresh.database.audit(), keys().chain_keys());
    let verifier = Verifier { reader: &*audit, keys: &keys, expected };
    let mut faults = BTreeMap::new();
    for account in audit.companies().await.expect("read").into_iter().flatten() {
        faults.insert(account, verifier.verify(account, |_| {}).await.expect("read").fault);
    }
    faults
}

/// An id as a literal of the engine.
fn literal(fresh: &Fresh, account: AccountId) -> String {
    let id = account.uuid().simple();
    match fresh.database.engine() {
        Engine::Sqlite => format!("X'{id}'"),
        Engine::Postgres => format!("'{id}'"),
    }
}

async fn each_kind_of_tampering_is_found_and_named(fresh: &Fresh) {
    const FIRST: u128 = 1_000;
    let untouched = company(fresh, 1).await;
    let other = company(fresh, 2).await;
    let mut victims = Vec::new();
    for (number, kind) in (FIRST..).zip(KINDS) {
        victims.push((company(fresh, number).await, kind));
    }
    let whole = faults(fresh, &[]).await;
    assert!(whole.len() >= KINDS.len() && whole.values().all(Option::is_none), "{whole:?}");
    for (victim, Kind { sql, .. }) in &victims {
        let (victim, other) = (literal(fresh, *victim), literal(fresh, other));
        let sql = sql.replace("{heads}", "svc_audit_heads").replace("{records}", "svc_audit_records");
        let sql = sql.replace("{company}", &victim).replace("{other}", &other);
        let bytes = match fresh.database.engine() {
            Engine::Sqlite => "X'",
            Engine::Postgres => "'\\x",
        };
        fresh.sql(&sql.replace("{bytes}", bytes)).await;
    }
    let faults = faults(fresh, &[]).await;
    for (victim, Kind { name, found, .. }) in victims {
        assert_eq!(faults.get(&victim).expect("a verdict").as_ref(), Some(found), "{name}");
    }
    assert_eq!([faults.get(&untouched), faults.get(&other)], [Some(&None), Some(&None)]);
}

async fn newest_records_cut_off_with_their_head_show_against_a_kept_head(fresh: &Fresh) {
    let account = company(fresh, 1_000).await;
    let kept = [Mark::of(account, *heads(&*fresh.database.audit()).await.get(&account).expect("a head"))];
    let company = literal(fresh, account);
    fresh
        .sql(&format!(
            "DELETE FROM svc_audit_records WHERE account_id = {company} AND number > 3;
             UPDATE svc_audit_heads SET number = 3, seal =
             (SELECT seal FROM svc_audit_records WHERE account_id = {company} AND number = 3)
             WHERE account_id = {company}"
        ))
        .await;
    assert_eq!(faults(fresh, &[]).await.get(&account), Some(&None), "out of reach of the database alone");
    assert_eq!(faults(fresh, &kept).await.get(&account), Some(&Some(Fault::Gone(5))));
}

async fn a_company_that_is_forgotten_altogether_shows_against_a_kept_head(fresh: &Fresh) {
    let account = company(fresh, 1_000).await;
    let kept = [Mark::of(account, *heads(&*fresh.database.audit()).await.get(&account).expect("a head"))];
    let company = literal(fresh, account);
    fresh
        .sql(&format!(
            "DELETE FROM svc_audit_records WHERE account_id = {company};
             DELETE FROM svc_audit_heads WHERE account_id = {company};
             DELETE FROM svc_accounts WHERE id = {company}"
        ))
        .await;
    let (audit, keys) = (fresh.database.audit(), keys().chain_keys());
    let verifier = Verifier { reader: &*audit, keys: &keys, expected: &kept };
    assert_eq!(verifier.verify(account, |_| {}).await.expect("read").fault, Some(Fault::Gone(5)));
}

/// PostgreSQL keeps ids in a type of their own.
async fn a_row_of_no_company_is_named(fresh: &Fresh) {
    if fresh.database.engine() == Engine::Postgres {
        return;
    }
    company(fresh, 1_000).await;
    fresh
        .sql("INSERT INTO svc_audit_heads (account_id, number, seal_key, seal) VALUES (X'00', 1, 1, X'00')")
        .await;
    let companies = fresh.database.audit().companies().await.expect("read");
    assert_eq!(companies.iter().filter(|company| company.is_err()).count(), 1);
    assert!(companies.contains(&Ok(id(1_000))), "and the others are there: {companies:?}");
}
