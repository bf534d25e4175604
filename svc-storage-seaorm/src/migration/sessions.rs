//! Tables of sessions, passwords and failed attempts to sign in.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // `binding` is a keyed code of the person and the ends of the session: who changes them here ends it.
    // What changes with every use is in no index. A purge reads the whole table, which holds those
    // who signed in today.
    "CREATE TABLE svc_sessions (
        id {uuid} NOT NULL PRIMARY KEY,
        user_id {uuid} NOT NULL,
        pepper {big} NOT NULL,
        digest {bytes} NOT NULL,
        created_at {big} NOT NULL,
        last_used_at {big} NOT NULL,
        expires_at {big} NOT NULL,
        created_from text,
        device text,
        awaits_code {bool} NOT NULL,
        binding {bytes} NOT NULL
    ){hot}",
    "CREATE UNIQUE INDEX svc_sessions_fingerprint ON svc_sessions (digest, pepper)",
    "CREATE INDEX svc_sessions_user ON svc_sessions (user_id, created_at DESC, id DESC)",
    // `hash` is sealed: who has the database alone has nothing to try passwords against.
    "CREATE TABLE svc_passwords (
        user_id {uuid} NOT NULL PRIMARY KEY,
        hash {bytes} NOT NULL,
        set_at {big} NOT NULL,
        version {big} NOT NULL
    ){strict}",
    // `sealed` holds the secret of the device and what is kept of the recovery codes: who has the database alone
    // computes no code.
    "CREATE TABLE svc_second_factors (
        user_id {uuid} NOT NULL PRIMARY KEY,
        sealed {bytes} NOT NULL,
        version {big} NOT NULL
    ){strict}",
    // `binding` is a keyed code of the person and the end: who changes them here makes the link dead.
    "CREATE TABLE svc_password_resets (
        user_id {uuid} NOT NULL PRIMARY KEY,
        pepper {big} NOT NULL,
        digest {bytes} NOT NULL,
        expires_at {big} NOT NULL,
        binding {bytes} NOT NULL
    ){strict}",
    "CREATE INDEX svc_password_resets_digest ON svc_password_resets (digest)",
    // `key` is a keyed hash of an e-mail or source address.
    "CREATE TABLE svc_sign_in_failures (
        key {bytes} NOT NULL PRIMARY KEY,
        count {big} NOT NULL,
        last_at {big} NOT NULL
    ){hot}",
];
