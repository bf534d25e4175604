//! The tables of what people are asked to sign.

use sea_orm::DatabaseBackend;

use super::business::open_company;
use super::counts::{self, Counted};
use super::types::written;
use super::{keys, texts};

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements =
        if is_postgres { keys::behind_indexes(tables, indexes) } else { [tables, indexes].concat() };
    statements.push(open_company(engine, "svc_envelopes"));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::on_tables(engine, &["svc_envelopes"]));
    statements
}

pub(super) const COUNTED: &[Counted] = &[Counted { table: "svc_envelopes", kinds: &[("status", "{small}")] }];

// Digests, salts and hashes are hexadecimal. A reminder is due of a sent envelope only; what an envelope gave way to is
// written before that is there, so no key tells it.
const TABLES: &[&str] = &[
    "CREATE TABLE svc_envelopes (
        {row}
        company_id {company},
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        subject text NOT NULL,
        message text,
        language text NOT NULL,
        signing_order text NOT NULL,
        expires_at {big},
        expires_key {big} NOT NULL,
        reminder_days {small} NOT NULL CHECK (reminder_days BETWEEN 0 AND 30),
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 4),
        sent_at {big},
        sent_key {big} NOT NULL,
        ended_at {big},
        remind_at {big},
        void_reason text,
        sealed_files text,
        certificate_id {uuid},
        supersedes_id {uuid},
        superseded_by_id {uuid},
        trail_entries {big} NOT NULL,
        trail_hash text NOT NULL,
        external_id text,
        metadata text NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CONSTRAINT svc_envelopes_supersedes FOREIGN KEY (company_id, supersedes_id) REFERENCES svc_envelopes (company_id, id) DEFERRABLE,
        CHECK ((status = 0) = (sent_at IS NULL)),
        CHECK ((status >= 2) = (ended_at IS NOT NULL)),
        CHECK ((status = 4) = (void_reason IS NOT NULL)),
        CHECK (remind_at IS NULL OR status = 1),
        CHECK ((certificate_id IS NULL) = (sealed_files IS NULL)),
        CHECK (certificate_id IS NULL OR status = 2)
    ){strict}",
    "CREATE TABLE svc_envelope_files (
        company_id {uuid} NOT NULL,
        envelope_id {uuid} NOT NULL,
        position {int} NOT NULL,
        file_id {uuid} NOT NULL,
        file_version {big},
        sha256 text,
        size {big},
        name text,
        pages {big},
        PRIMARY KEY (company_id, envelope_id, position),
        FOREIGN KEY (company_id, envelope_id) REFERENCES svc_envelopes (company_id, id) DEFERRABLE,
        CHECK ((file_version IS NULL) = (sha256 IS NULL))
    ){strict}",
    "CREATE TABLE svc_envelope_signers (
        company_id {uuid} NOT NULL,
        envelope_id {uuid} NOT NULL,
        position {int} NOT NULL,
        signer_id {uuid} NOT NULL,
        name text NOT NULL,
        email text NOT NULL,
        email_key {key} NOT NULL,
        phone text,
        tax_id text,
        contact_id {uuid},
        role text NOT NULL,
        turn {int} NOT NULL CHECK (turn >= 1),
        auth text NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 5),
        notified_at {big},
        viewed_at {big},
        ended_at {big},
        decline_reason text,
        replaced_by {uuid},
        link_salt text,
        link_hash {key},
        reminded_at {big},
        codes_sent {small} NOT NULL,
        code_salt text,
        code_hash text,
        code_at {big},
        code_tries {small},
        code_proved_at {big},
        PRIMARY KEY (company_id, envelope_id, position),
        FOREIGN KEY (company_id, envelope_id) REFERENCES svc_envelopes (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CHECK ((link_salt IS NULL) = (link_hash IS NULL)),
        CHECK ((status = 5) = (replaced_by IS NOT NULL)),
        CHECK ((status = 4) = (decline_reason IS NOT NULL))
    ){strict}",
    "CREATE TABLE svc_envelope_links (
        company_id {uuid} NOT NULL,
        envelope_id {uuid} NOT NULL,
        position {int} NOT NULL,
        case_id {uuid},
        contact_id {uuid},
        document_id {uuid},
        PRIMARY KEY (company_id, envelope_id, position),
        FOREIGN KEY (company_id, envelope_id) REFERENCES svc_envelopes (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, case_id) REFERENCES svc_cases (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, document_id) REFERENCES svc_sales_documents (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_envelope_trail (
        company_id {uuid} NOT NULL,
        envelope_id {uuid} NOT NULL,
        position {big} NOT NULL,
        at {big} NOT NULL,
        actor text NOT NULL,
        action text NOT NULL,
        ip text,
        user_agent text,
        details text,
        previous_hash text NOT NULL,
        hash text NOT NULL,
        PRIMARY KEY (company_id, envelope_id, position),
        FOREIGN KEY (company_id, envelope_id) REFERENCES svc_envelopes (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_envelope_inks (
        company_id {uuid} NOT NULL,
        envelope_id {uuid} NOT NULL,
        signer_id {uuid} NOT NULL,
        at {big} NOT NULL,
        ink text NOT NULL,
        PRIMARY KEY (company_id, envelope_id, signer_id),
        FOREIGN KEY (company_id, envelope_id) REFERENCES svc_envelopes (company_id, id) DEFERRABLE
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX svc_envelopes_id ON svc_envelopes (id)",
    "CREATE UNIQUE INDEX svc_envelopes_external_id ON svc_envelopes (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_envelopes_order ON svc_envelopes (company_id, created_at, id, status, sent_at)",
    "CREATE INDEX svc_envelopes_sent ON svc_envelopes (company_id, sent_key, id, status, sent_at)",
    "CREATE INDEX svc_envelopes_expires ON svc_envelopes (company_id, expires_key, id, status, sent_at)",
    "CREATE INDEX svc_envelopes_changes ON svc_envelopes (company_id, updated_at, id, status)",
    "CREATE INDEX svc_envelopes_supersedes ON svc_envelopes (company_id, supersedes_id) WHERE supersedes_id IS NOT NULL",
    "CREATE INDEX svc_envelopes_open ON svc_envelopes (company_id, expires_key) WHERE status = 1",
    "CREATE INDEX svc_envelopes_remind ON svc_envelopes (company_id, remind_at) WHERE remind_at IS NOT NULL",
    "CREATE INDEX svc_envelope_files_file ON svc_envelope_files (company_id, file_id, envelope_id)",
    "CREATE UNIQUE INDEX svc_envelope_signers_link ON svc_envelope_signers (link_hash) WHERE link_hash IS NOT NULL",
    "CREATE INDEX svc_envelope_signers_email ON svc_envelope_signers (company_id, email_key, envelope_id)",
    "CREATE INDEX svc_envelope_signers_contact ON svc_envelope_signers (company_id, contact_id) WHERE contact_id IS NOT NULL",
    "CREATE INDEX svc_envelope_links_case ON svc_envelope_links (company_id, case_id, envelope_id) WHERE case_id IS NOT NULL",
    "CREATE INDEX svc_envelope_links_contact ON svc_envelope_links (company_id, contact_id, envelope_id) \
     WHERE contact_id IS NOT NULL",
    "CREATE INDEX svc_envelope_links_document ON svc_envelope_links (company_id, document_id, envelope_id) \
     WHERE document_id IS NOT NULL",
];
