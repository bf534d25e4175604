//! Kinds of tampering with SQL, and what a verification says of each.

use svc_core::audit::{Broken, Fault, Unreadable};

/// One way to tamper with the log of `{company}`.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
    pub(super) found: Fault,
}

const fn kind(name: &'static str, sql: &'static str, found: Fault) -> Kind {
    Kind { name, sql, found }
}

pub(super) const KINDS: &[Kind] = &[
    kind(
        "another instant",
        "UPDATE {records} SET occurred_at = occurred_at + 1 WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "another token",
        "UPDATE {records} SET actor_id = (SELECT account_id FROM {heads} WHERE account_id = {company}) WHERE account_id = {company} AND number = 2",
        Fault::Chain(Broken::Seal { number: 2 }),
    ),
    kind(
        "another kind of actor",
        "UPDATE {records} SET actor = 2, actor_id = NULL WHERE account_id = {company} AND number = 2",
        Fault::Chain(Broken::Seal { number: 2 }),
    ),
    kind(
        "a kind of actor that its ids do not fit",
        "UPDATE {records} SET actor = 2 WHERE account_id = {company} AND number = 2",
        Fault::Unreadable(Unreadable { number: Some(2), column: "svc_audit_records.actor" }),
    ),
    kind(
        "another person",
        "UPDATE {records} SET actor_id = session_id WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "another session",
        "UPDATE {records} SET session_id = actor_id WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "a person without a session",
        "UPDATE {records} SET session_id = NULL WHERE account_id = {company} AND number = 3",
        Fault::Unreadable(Unreadable { number: Some(3), column: "svc_audit_records.actor" }),
    ),
    kind(
        "another reason",
        "UPDATE {records} SET reason = 'maintenance' WHERE account_id = {company} AND number = 4",
        Fault::Chain(Broken::Seal { number: 4 }),
    ),
    kind(
        "another address",
        "UPDATE {records} SET address = '203.0.113.8' WHERE account_id = {company} AND number = 2",
        Fault::Chain(Broken::Seal { number: 2 }),
    ),
    kind(
        "no address",
        "UPDATE {records} SET address = NULL WHERE account_id = {company} AND number = 2",
        Fault::Chain(Broken::Seal { number: 2 }),
    ),
    kind(
        "the same address spelled otherwise",
        "UPDATE {records} SET address = '2001:0db8::7' WHERE account_id = {company} AND number = 2",
        Fault::Unreadable(Unreadable { number: Some(2), column: "svc_audit_records.address" }),
    ),
    kind(
        "an address that is none",
        "UPDATE {records} SET address = 'here' WHERE account_id = {company} AND number = 2",
        Fault::Unreadable(Unreadable { number: Some(2), column: "svc_audit_records.address" }),
    ),
    kind(
        "another request",
        "UPDATE {records} SET request_id = actor_id WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "no request",
        "UPDATE {records} SET request_id = NULL WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "another action",
        "UPDATE {records} SET action = 'token.enable' WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "an action that does not exist",
        "UPDATE {records} SET action = 'token.praise' WHERE account_id = {company} AND number = 3",
        Fault::Unreadable(Unreadable { number: Some(3), column: "svc_audit_records.action" }),
    ),
    kind(
        "another subject",
        "UPDATE {records} SET subject = 'tok_x' WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "another state before",
        r#"UPDATE {records} SET state_before = '{"state":"disabled"}' WHERE account_id = {company} AND number = 3"#,
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "no state before",
        "UPDATE {records} SET state_before = NULL WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "the same state afterwards, spelled otherwise",
        r#"UPDATE {records} SET state_after = '{"state": "disabled"}' WHERE account_id = {company} AND number = 3"#,
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "no state afterwards",
        "UPDATE {records} SET state_after = NULL WHERE account_id = {company} AND number = 5",
        Fault::Chain(Broken::Seal { number: 5 }),
    ),
    kind(
        "another seal",
        "UPDATE {records} SET seal = (SELECT seal FROM {heads} WHERE account_id = {company}) WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "half a seal",
        "UPDATE {records} SET seal = {bytes}00' WHERE account_id = {company} AND number = 3",
        Fault::Unreadable(Unreadable { number: Some(3), column: "svc_audit_records.seal" }),
    ),
    kind(
        "another key",
        "UPDATE {records} SET seal_key = 9 WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::UnknownKey { number: 3, key: 9 }),
    ),
    kind(
        "a key that cannot be",
        "UPDATE {records} SET seal_key = -1 WHERE account_id = {company} AND number = 3",
        Fault::Unreadable(Unreadable { number: Some(3), column: "svc_audit_records.seal" }),
    ),
    kind(
        "a record taken out",
        "DELETE FROM {records} WHERE account_id = {company} AND number = 3",
        Fault::Chain(Broken::Number { expected: 3, found: 4 }),
    ),
    kind(
        "the first record taken out",
        "DELETE FROM {records} WHERE account_id = {company} AND number = 1",
        Fault::Chain(Broken::Number { expected: 1, found: 2 }),
    ),
    kind(
        "the last record taken out",
        "DELETE FROM {records} WHERE account_id = {company} AND number = 5",
        Fault::Chain(Broken::Cut { expected: 5, found: Some(4) }),
    ),
    kind(
        "all records taken out",
        "DELETE FROM {records} WHERE account_id = {company}",
        Fault::Chain(Broken::Cut { expected: 5, found: None }),
    ),
    kind(
        "a gap closed up",
        "DELETE FROM {records} WHERE account_id = {company} AND number = 2; UPDATE {records} SET number = 2 WHERE account_id = {company} AND number = 3; UPDATE {records} SET number = 3 WHERE account_id = {company} AND number = 4; UPDATE {records} SET number = 4 WHERE account_id = {company} AND number = 5",
        Fault::Chain(Broken::Seal { number: 2 }),
    ),
    kind(
        "two records that changed places",
        "UPDATE {records} SET number = 99 WHERE account_id = {company} AND number = 3; UPDATE {records} SET number = 3 WHERE account_id = {company} AND number = 4; UPDATE {records} SET number = 4 WHERE account_id = {company} AND number = 99",
        Fault::Chain(Broken::Seal { number: 3 }),
    ),
    kind(
        "a record of the middle put at the end",
        "INSERT INTO {records} (account_id, number, occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, state_before, state_after, seal_key, seal) SELECT {company}, 6, occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, state_before, state_after, seal_key, seal FROM {records} WHERE account_id = {company} AND number = 3",
        Fault::Beyond(6),
    ),
    kind(
        "the same with the head moved onto it",
        "INSERT INTO {records} (account_id, number, occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, state_before, state_after, seal_key, seal) SELECT {company}, 6, occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, state_before, state_after, seal_key, seal FROM {records} WHERE account_id = {company} AND number = 3; UPDATE {heads} SET number = 6, seal = (SELECT seal FROM {records} WHERE account_id = {company} AND number = 6) WHERE account_id = {company}",
        Fault::Chain(Broken::Seal { number: 6 }),
    ),
    kind(
        "a record of another company put at the end",
        "INSERT INTO {records} (account_id, number, occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, state_before, state_after, seal_key, seal) SELECT {company}, 6, occurred_at, actor, actor_id, session_id, reason, address, request_id, action, subject, state_before, state_after, seal_key, seal FROM {records} WHERE account_id = {other} AND number = 5; UPDATE {heads} SET number = 6, seal = (SELECT seal FROM {records} WHERE account_id = {company} AND number = 6) WHERE account_id = {company}",
        Fault::Chain(Broken::Seal { number: 6 }),
    ),
    kind("the head taken out", "DELETE FROM {heads} WHERE account_id = {company}", Fault::Headless(5)),
    kind(
        "head and records taken out",
        "DELETE FROM {records} WHERE account_id = {company}; DELETE FROM {heads} WHERE account_id = {company}",
        Fault::Missing,
    ),
    kind(
        "the head moved back",
        "UPDATE {heads} SET number = 3, seal = (SELECT seal FROM {records} WHERE account_id = {company} AND number = 3) WHERE account_id = {company}",
        Fault::Beyond(4),
    ),
    kind(
        "the head moved on",
        "UPDATE {heads} SET number = 6 WHERE account_id = {company}",
        Fault::Chain(Broken::Cut { expected: 6, found: Some(5) }),
    ),
    kind(
        "a head with another seal",
        "UPDATE {heads} SET seal = (SELECT seal FROM {records} WHERE account_id = {company} AND number = 4) WHERE account_id = {company}",
        Fault::Chain(Broken::Seal { number: 5 }),
    ),
    kind(
        "a head with another key",
        "UPDATE {heads} SET seal_key = 9 WHERE account_id = {company}",
        Fault::Chain(Broken::Seal { number: 5 }),
    ),
    kind(
        "a head of no record",
        "UPDATE {heads} SET number = 0 WHERE account_id = {company}",
        Fault::Unreadable(Unreadable { number: None, column: "svc_audit_heads.number" }),
    ),
    kind(
        "half a seal in the head",
        "UPDATE {heads} SET seal = {bytes}00' WHERE account_id = {company}",
        Fault::Unreadable(Unreadable { number: None, column: "svc_audit_heads.seal" }),
    ),
];
