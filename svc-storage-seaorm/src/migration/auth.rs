//! Tables of tokens and of the authority's version.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // `binding` is a keyed code of what the token stands for and may do: who changes that here ends the token.
    // Lists (`grants`, `allowed_ips`, `companies`, `groups`) are JSON arrays of text.
    "CREATE TABLE svc_tokens (
        id {uuid} NOT NULL PRIMARY KEY,
        name text NOT NULL,
        prefix text NOT NULL,
        client_id text,
        connection_role {small} CHECK (connection_role BETWEEN 0 AND 2),
        pepper {big} NOT NULL,
        digest {bytes} NOT NULL,
        grants text NOT NULL,
        allowed_ips text NOT NULL,
        personal_data {bool} NOT NULL,
        primary_account_id {uuid} NOT NULL,
        companies text NOT NULL,
        groups text NOT NULL,
        state {small} NOT NULL CHECK (state BETWEEN 0 AND 2),
        revoked_at {big},
        expires_at {big},
        last_used_at {big},
        last_used_from text,
        created_by {uuid},
        created_at {big} NOT NULL,
        version {big} NOT NULL,
        binding {bytes} NOT NULL,
        CHECK ((state = 2) = (revoked_at IS NOT NULL)),
        CHECK ((client_id IS NULL) = (connection_role IS NULL))
    ){hot}",
    "CREATE UNIQUE INDEX svc_tokens_fingerprint ON svc_tokens (digest, pepper)",
    // Which clients have a connection.
    "CREATE INDEX svc_tokens_client ON svc_tokens (client_id) WHERE client_id IS NOT NULL",
    "CREATE INDEX svc_tokens_connections ON svc_tokens (created_by, created_at, id) WHERE client_id IS NOT NULL",
    "CREATE INDEX svc_tokens_primary ON svc_tokens (primary_account_id, created_at, id)",
    // One row: caches compare its version.
    "CREATE TABLE svc_authority (
        id {small} NOT NULL PRIMARY KEY CHECK (id = 1),
        version {big} NOT NULL
    ){hot}",
    "INSERT INTO svc_authority (id, version) VALUES (1, 1)",
];
