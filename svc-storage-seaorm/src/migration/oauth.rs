//! Tables of OAuth: clients, grants and their pairs of tokens, approvals, links for uploads, and calls of assistants.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // `metadata` is the hash of name and addresses, which make a client the same one.
    "CREATE TABLE svc_oauth_clients (
        id text NOT NULL PRIMARY KEY,
        name text NOT NULL,
        redirects text NOT NULL,
        metadata {bytes} NOT NULL,
        known_since {big} NOT NULL
    )",
    "CREATE UNIQUE INDEX svc_oauth_clients_metadata ON svc_oauth_clients (metadata)",
    "CREATE INDEX svc_oauth_clients_known_since ON svc_oauth_clients (known_since)",
    // `binding` is a keyed code of all that the row says: who changes it here ends what it stands for.
    "CREATE TABLE svc_oauth_grants (
        id {uuid} NOT NULL PRIMARY KEY,
        token_id {uuid} NOT NULL,
        client_id text NOT NULL,
        redirect text NOT NULL,
        challenge {bytes} NOT NULL,
        pepper {big} NOT NULL,
        digest {bytes} NOT NULL,
        code_until {big} NOT NULL,
        stage {small} NOT NULL CHECK (stage BETWEEN 0 AND 2),
        ended_at {big},
        binding {bytes} NOT NULL,
        CHECK ((stage = 2) = (ended_at IS NOT NULL))
    ){hot}",
    "CREATE UNIQUE INDEX svc_oauth_grants_code ON svc_oauth_grants (digest, pepper)",
    "CREATE INDEX svc_oauth_grants_code_until ON svc_oauth_grants (code_until)",
    "CREATE TABLE svc_oauth_pairs (
        refresh_digest {bytes} NOT NULL PRIMARY KEY,
        refresh_pepper {big} NOT NULL,
        refresh_until {big} NOT NULL,
        refreshed_at {big},
        access_digest {bytes} NOT NULL,
        access_pepper {big} NOT NULL,
        access_until {big} NOT NULL,
        grant_id {uuid} NOT NULL,
        binding {bytes} NOT NULL
    ){hot}",
    "CREATE UNIQUE INDEX svc_oauth_pairs_access ON svc_oauth_pairs (access_digest)",
    "CREATE INDEX svc_oauth_pairs_refresh_until ON svc_oauth_pairs (refresh_until)",
    "CREATE INDEX svc_oauth_pairs_grant ON svc_oauth_pairs (grant_id)",
    // One at a time for each call of a credential: the next one takes the place of one that has ended.
    "CREATE TABLE svc_approvals (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        user_id {uuid} NOT NULL,
        token_id {uuid} NOT NULL,
        tool text NOT NULL,
        digest {bytes} NOT NULL,
        shown text NOT NULL,
        stage {small} NOT NULL CHECK (stage BETWEEN 0 AND 3),
        asked_at {big} NOT NULL,
        until {big} NOT NULL,
        binding {bytes} NOT NULL
    ){hot}",
    "CREATE UNIQUE INDEX svc_approvals_call ON svc_approvals (token_id, digest)",
    "CREATE INDEX svc_approvals_open ON svc_approvals (token_id, stage, until)",
    "CREATE INDEX svc_approvals_person ON svc_approvals (user_id, stage, until, id)",
    "CREATE INDEX svc_approvals_until ON svc_approvals (until)",
    "CREATE TABLE svc_upload_links (
        digest {bytes} NOT NULL,
        pepper {big} NOT NULL,
        token_id {uuid} NOT NULL,
        properties text NOT NULL,
        until {big} NOT NULL,
        binding {bytes} NOT NULL
    )",
    "CREATE UNIQUE INDEX svc_upload_links_digest ON svc_upload_links (digest, pepper)",
    "CREATE INDEX svc_upload_links_open ON svc_upload_links (token_id, until)",
    "CREATE INDEX svc_upload_links_until ON svc_upload_links (until)",
    "CREATE TABLE svc_assistant_calls (
        id {uuid} NOT NULL PRIMARY KEY,
        at {big} NOT NULL,
        account_id {uuid} NOT NULL,
        user_id {uuid},
        token_id {uuid} NOT NULL,
        client text NOT NULL,
        revision text NOT NULL,
        tool text NOT NULL,
        arguments text NOT NULL,
        digest {bytes} NOT NULL,
        touched text NOT NULL,
        outcome text NOT NULL,
        address text
    )",
    "CREATE INDEX svc_assistant_calls_token ON svc_assistant_calls (token_id, at, id)",
    "CREATE INDEX svc_assistant_calls_at ON svc_assistant_calls (at)",
];
