//! Tables of companies, groups, users, memberships and contacts.
//!
//! The statements are written once for both engines; only type names differ.
//! Instants are Unix microseconds. Keys that lists are sorted or searched by
//! compare byte by byte on both engines, so both answer in the same order.

use sea_orm::DatabaseBackend;

use super::counts::{self, Counted};
use super::types::written;
use super::{keys, texts};

/// Creates the tables, in an order that their foreign keys allow.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let (tables, indexes) = (written(engine, TABLES), written(engine, INDEXES));
    let mut statements = if engine == DatabaseBackend::Postgres {
        keys::behind_indexes(tables, indexes)
    } else {
        [tables, indexes].concat()
    };
    if engine == DatabaseBackend::Postgres {
        statements.push(COMPANY_IS_ACTIVE.to_owned());
    }
    statements.extend(["svc_contacts", "svc_cases"].map(|table| open_company(engine, table)));
    statements.extend(counts::statements(engine, COUNTED));
    statements.extend(texts::statements(engine, &["svc_accounts", "svc_contacts", "svc_cases"]));
    if engine == DatabaseBackend::Postgres {
        statements.extend(ON_POSTGRES.map(str::to_owned));
    }
    statements
}

pub(super) const COUNTED: &[Counted] = &[
    Counted { table: "svc_contacts", kinds: &[("status", "{small}"), ("kind", "text"), ("roles", "{int}")] },
    Counted { table: "svc_contact_tags", kinds: &[("tag", "{key}"), ("status", "{small}")] },
    Counted { table: "svc_cases", kinds: &[("status", "{small}"), ("type", "text")] },
    Counted { table: "svc_case_tags", kinds: &[("tag", "{key}"), ("status", "{small}")] },
];

const TABLES: &[&str] = &[
    // SQLite looks a referenced table up when a row is written, PostgreSQL when the key is declared:
    // hence the separate statement for the parent of a group.
    "CREATE TABLE svc_company_groups (
        id {uuid} NOT NULL PRIMARY KEY,
        name text NOT NULL,
        parent_id {uuid} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL
    ){strict}",
    "CREATE TABLE svc_accounts (
        {row}
        id {uuid} NOT NULL {own},
        legal_name text NOT NULL,
        trade_name text,
        tax_id text,
        country text NOT NULL,
        language text NOT NULL,
        timezone text NOT NULL,
        legal_form text NOT NULL,
        address text,
        phone text,
        email text,
        website text,
        base_currency text NOT NULL,
        group_id {uuid} REFERENCES svc_company_groups (id),
        parent_id {uuid} REFERENCES svc_accounts (id),
        api_access {bool} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 2),
        status_at {big},
        merged_into {uuid} REFERENCES svc_accounts (id),
        external_id text,
        metadata text NOT NULL,
        name_key {key} NOT NULL,
        search_key {key} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        CHECK ((status = 0) = (status_at IS NULL)),
        CHECK ((status = 2) = (merged_into IS NOT NULL))
    ){strict}",
    "CREATE TABLE svc_group_members (
        group_id {uuid} NOT NULL REFERENCES svc_company_groups (id),
        account_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        position {int} NOT NULL,
        ownership_percent text,
        since {big} NOT NULL,
        CONSTRAINT svc_group_members_pkey PRIMARY KEY (account_id)
    ){strict}",
    "CREATE TABLE svc_users (
        id {uuid} NOT NULL PRIMARY KEY,
        email text NOT NULL,
        email_key {key} NOT NULL,
        name text NOT NULL,
        locale text NOT NULL,
        mfa_enabled {bool} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 1),
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL
    ){strict}",
    // A member that the operator added was invited by no user.
    "CREATE TABLE svc_memberships (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        user_id {uuid} NOT NULL REFERENCES svc_users (id),
        role text NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        invited_at {big} NOT NULL,
        invited_by {uuid} REFERENCES svc_users (id),
        invited_email text,
        accepted_at {big},
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL
    ){strict}",
    // `hash` is the SHA-256 of 256 drawn bits, which a mail has.
    "CREATE TABLE svc_invitation_links (
        hash {bytes} NOT NULL PRIMARY KEY,
        membership_id {uuid} NOT NULL REFERENCES svc_memberships (id),
        expires_at {big} NOT NULL
    ){strict}",
    // The keys hold the company, so that a link to a contact of another company cannot be stored. A merge of
    // companies moves table after table, and lets the keys be checked when all have moved.
    "CREATE TABLE svc_contacts (
        {row}
        company_id {company},
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        kind text NOT NULL,
        given_name text,
        family_name text,
        date_of_birth text,
        legal_name text,
        trade_name text,
        roles {int} NOT NULL,
        tax_id_kind text NOT NULL,
        tax_id text,
        shares_tax_id {bool} NOT NULL,
        email text,
        email_key {key},
        phone text,
        mobile text,
        address text,
        shipping_address text,
        iban text,
        bic text,
        parent_id {uuid},
        language text NOT NULL,
        currency text NOT NULL,
        payment_term_days {int} NOT NULL,
        payment_method text NOT NULL,
        default_tax_code text,
        withholding_rate text,
        equivalence_surcharge {bool} NOT NULL,
        receivable_account_code text,
        payable_account_code text,
        notes text,
        consent text,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 2),
        merged_into {uuid},
        external_id text,
        metadata text NOT NULL,
        name_key {key} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CONSTRAINT svc_contacts_parent FOREIGN KEY (company_id, parent_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CONSTRAINT svc_contacts_survivor FOREIGN KEY (company_id, merged_into) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CHECK ((status = 2) = (merged_into IS NOT NULL))
    ){strict}",
    // A tag knows the status and the age of its record: a list by tag reads nothing else.
    "CREATE TABLE svc_contact_tags (
        company_id {uuid} NOT NULL,
        contact_id {uuid} NOT NULL,
        position {int} NOT NULL,
        tag {key} NOT NULL,
        status {small} NOT NULL,
        created_at {big} NOT NULL,
        PRIMARY KEY (company_id, contact_id, position),
        FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_cases (
        {row}
        company_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        id {uuid} NOT NULL,
        search_key {key} NOT NULL,
        year {int} NOT NULL,
        sequence {big} NOT NULL,
        title text NOT NULL,
        description text,
        type text NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        outcome text,
        closed_on text,
        priority text NOT NULL,
        contact_id {uuid} NOT NULL,
        responsible_user_id {uuid} REFERENCES svc_users (id),
        opened_on text NOT NULL,
        due_on text,
        estimated_fees {big},
        currency text,
        entries {big} NOT NULL,
        external_id text,
        metadata text NOT NULL,
        number_key {big} NOT NULL,
        due_key {key} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL,
        {own} (company_id, id),
        CONSTRAINT svc_cases_contact FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE,
        CHECK ((status = 3) = (outcome IS NOT NULL)),
        CHECK ((status = 3) = (closed_on IS NOT NULL)),
        CHECK ((estimated_fees IS NULL) = (currency IS NULL))
    ){strict}",
    "CREATE TABLE svc_case_participants (
        company_id {uuid} NOT NULL,
        case_id {uuid} NOT NULL,
        position {int} NOT NULL,
        contact_id {uuid} NOT NULL,
        PRIMARY KEY (company_id, case_id, position),
        FOREIGN KEY (company_id, case_id) REFERENCES svc_cases (company_id, id) DEFERRABLE,
        FOREIGN KEY (company_id, contact_id) REFERENCES svc_contacts (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_case_links (
        company_id {uuid} NOT NULL,
        case_id {uuid} NOT NULL,
        position {int} NOT NULL,
        type text NOT NULL,
        target_id {uuid} NOT NULL,
        PRIMARY KEY (company_id, case_id, position),
        FOREIGN KEY (company_id, case_id) REFERENCES svc_cases (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_case_tags (
        company_id {uuid} NOT NULL,
        case_id {uuid} NOT NULL,
        position {int} NOT NULL,
        tag {key} NOT NULL,
        status {small} NOT NULL,
        created_at {big} NOT NULL,
        PRIMARY KEY (company_id, case_id, position),
        FOREIGN KEY (company_id, case_id) REFERENCES svc_cases (company_id, id) DEFERRABLE
    ){strict}",
    "CREATE TABLE svc_case_timeline (
        company_id {uuid} NOT NULL,
        case_id {uuid} NOT NULL,
        position {big} NOT NULL,
        at {big} NOT NULL,
        user_id {uuid},
        kind text NOT NULL,
        text text,
        status {small} NOT NULL,
        outcome text,
        closed_on text,
        PRIMARY KEY (company_id, case_id, position),
        FOREIGN KEY (company_id, case_id) REFERENCES svc_cases (company_id, id) DEFERRABLE
    ){strict}",
    // Counts what a company numbers; the absorbed company of a merge keeps its own.
    "CREATE TABLE svc_number_series (
        account_id {uuid} NOT NULL REFERENCES svc_accounts (id),
        kind text NOT NULL,
        year {int} NOT NULL,
        last {big} NOT NULL,
        PRIMARY KEY (account_id, kind, year)
    ){strict}",
];

const INDEXES: &[&str] = &[
    "CREATE INDEX svc_accounts_order ON svc_accounts (created_at, id)",
    "CREATE INDEX svc_accounts_tax_id ON svc_accounts (tax_id) WHERE tax_id IS NOT NULL",
    "CREATE INDEX svc_accounts_parent ON svc_accounts (parent_id) WHERE parent_id IS NOT NULL",
    "CREATE INDEX svc_accounts_group ON svc_accounts (group_id) WHERE group_id IS NOT NULL",
    "CREATE UNIQUE INDEX svc_group_members_order ON svc_group_members (group_id, position)",
    "CREATE UNIQUE INDEX svc_users_email ON svc_users (email_key)",
    "CREATE UNIQUE INDEX svc_memberships_person ON svc_memberships (account_id, user_id)",
    "CREATE INDEX svc_memberships_order ON svc_memberships (account_id, created_at, id)",
    "CREATE INDEX svc_memberships_user ON svc_memberships (user_id)",
    "CREATE INDEX svc_invitation_links_of ON svc_invitation_links (membership_id)",
    "CREATE UNIQUE INDEX svc_contacts_id ON svc_contacts (id)",
    "CREATE UNIQUE INDEX svc_contacts_external_id ON svc_contacts (company_id, external_id) \
     WHERE external_id IS NOT NULL",
    // Lists read a page of ids, and count, from these indexes alone. The status comes after the order,
    // so that a list of every status has its order too.
    "CREATE INDEX svc_contacts_order ON svc_contacts (company_id, created_at, id, status, roles, kind, updated_at)",
    "CREATE INDEX svc_contacts_name ON svc_contacts (company_id, name_key, id, status)",
    "CREATE INDEX svc_contacts_changes ON svc_contacts (company_id, updated_at, id, status)",
    "CREATE UNIQUE INDEX svc_contacts_tax_id_alone ON svc_contacts (company_id, tax_id) \
     WHERE tax_id IS NOT NULL AND status = 0 AND NOT shares_tax_id",
    "CREATE INDEX svc_contacts_tax_id ON svc_contacts (company_id, tax_id) WHERE tax_id IS NOT NULL",
    "CREATE INDEX svc_contacts_email ON svc_contacts (company_id, email_key) WHERE email_key IS NOT NULL",
    "CREATE INDEX svc_contacts_iban ON svc_contacts (company_id, iban, status, created_at, id) WHERE iban IS NOT NULL",
    "CREATE INDEX svc_contacts_phone ON svc_contacts (company_id, phone) WHERE phone IS NOT NULL",
    "CREATE INDEX svc_contacts_mobile ON svc_contacts (company_id, mobile) WHERE mobile IS NOT NULL",
    "CREATE INDEX svc_contacts_parent ON svc_contacts (company_id, parent_id) WHERE parent_id IS NOT NULL",
    "CREATE INDEX svc_contacts_survivor ON svc_contacts (company_id, merged_into) WHERE merged_into IS NOT NULL",
    "CREATE INDEX svc_contact_tags_tag ON svc_contact_tags (company_id, tag, created_at, contact_id, status)",
    "CREATE UNIQUE INDEX svc_cases_id ON svc_cases (id)",
    "CREATE UNIQUE INDEX svc_cases_external_id ON svc_cases (company_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX svc_cases_order ON svc_cases (company_id, created_at, id, status, type, opened_on, updated_at)",
    "CREATE INDEX svc_cases_number ON svc_cases (company_id, number_key, id, status)",
    "CREATE INDEX svc_cases_due ON svc_cases (company_id, due_key, id, status)",
    "CREATE INDEX svc_cases_changes ON svc_cases (company_id, updated_at, id, status)",
    "CREATE INDEX svc_cases_contact ON svc_cases (company_id, contact_id)",
    "CREATE INDEX svc_cases_responsible ON svc_cases (company_id, responsible_user_id) WHERE responsible_user_id IS NOT NULL",
    "CREATE INDEX svc_case_participants_contact ON svc_case_participants (company_id, contact_id)",
    "CREATE INDEX svc_case_tags_tag ON svc_case_tags (company_id, tag, created_at, case_id, status)",
];

/// A foreign key from each record to its company would lock the one row of the company for each new record:
/// insertions at the same time then write down which of them share it, again and again. Companies are never
/// removed, and every insertion finds its company first: the trigger guards what is left, a removal by hand.
/// On SQLite, whose one writer locks nothing, `{company}` is a foreign key.
const ON_POSTGRES: [&str; 3] = [
    "ALTER TABLE svc_company_groups ADD CONSTRAINT svc_company_groups_parent \
     FOREIGN KEY (parent_id) REFERENCES svc_accounts (id)",
    "CREATE FUNCTION svc_company_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     IF EXISTS (SELECT 1 FROM svc_contacts WHERE company_id = OLD.id) THEN \
     RAISE foreign_key_violation USING MESSAGE = 'the company has contacts'; END IF; RETURN OLD; END $$",
    "CREATE TRIGGER svc_accounts_stay BEFORE DELETE ON svc_accounts FOR EACH ROW EXECUTE FUNCTION svc_company_stays()",
];

/// Lets nothing be added to a table of a company that is not active, and nothing be moved into one.
///
/// On PostgreSQL a merge or a deactivation may be under way: the trigger waits for it by the lock that
/// [`crate::lock::company`] takes, and then looks at what it committed. SQLite has one writer.
pub(crate) fn open_company(engine: DatabaseBackend, table: &str) -> String {
    if engine == DatabaseBackend::Postgres {
        format!(
            "CREATE TRIGGER {table}_company AFTER INSERT ON {table} REFERENCING NEW TABLE AS added \
             FOR EACH STATEMENT EXECUTE FUNCTION svc_company_is_active()"
        )
    } else {
        format!(
            "CREATE TRIGGER {table}_company BEFORE INSERT ON {table} WHEN NOT EXISTS \
             (SELECT 1 FROM svc_accounts WHERE id = NEW.company_id AND status = 0) \
             BEGIN SELECT RAISE(ABORT, 'the company is not active'); END"
        )
    }
}

// Each statement of the function sees what is committed when it starts: the second one, what was committed
// before the lock was had.
const COMPANY_IS_ACTIVE: &str = "CREATE FUNCTION svc_company_is_active() RETURNS trigger LANGUAGE plpgsql AS $$ \
     DECLARE company uuid; BEGIN \
     FOR company IN SELECT DISTINCT company_id FROM added ORDER BY 1 LOOP \
     PERFORM pg_advisory_xact_lock_shared(uuid_hash_extended(company, 0)); \
     PERFORM 1 FROM svc_accounts WHERE id = company AND status = 0; \
     IF NOT FOUND THEN RAISE EXCEPTION 'the company is not active' USING ERRCODE = 'SVC01'; END IF; \
     END LOOP; RETURN NULL; END $$";

/// Cases by the day on which they were opened. The predicate says nothing, but without it PostgreSQL would look a case up by its
/// id in this index, which is made after the primary key, until there are statistics.
pub(crate) fn opened_cases(engine: DatabaseBackend) -> Vec<String> {
    written(
        engine,
        &[
            "CREATE INDEX svc_cases_opened ON svc_cases (company_id, opened_on, id, status) WHERE opened_on IS NOT NULL",
        ],
    )
}

/// Addresses of people are told apart by their letters, marks and all.
pub(crate) fn email_keys(_: DatabaseBackend) -> Vec<String> {
    vec!["UPDATE svc_users SET email_key = lower(email) WHERE email_key <> lower(email)".to_owned()]
}
