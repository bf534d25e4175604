//! What is open with each contact, kept by the database in the commit of each posting: what customers owe is read
//! without the lines of those who owe nothing.
//!
//! The nil id stands for lines that have no contact.

use sea_orm::DatabaseBackend;

use super::types::written;

/// The contact of a line, as SQL: what the index of what is due has.
pub(crate) fn contact(engine: DatabaseBackend, of: &str) -> String {
    let nil = if engine == DatabaseBackend::Postgres {
        "'00000000-0000-0000-0000-000000000000'::uuid"
    } else {
        "x'00000000000000000000000000000000'"
    };
    format!("coalesce({of}contact_id, {nil})")
}

/// When a line is due, as SQL: what the index of what is due has.
pub(crate) fn due(of: &str) -> String {
    format!("coalesce({of}due_date, {of}date)")
}

pub(super) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let is_postgres = engine == DatabaseBackend::Postgres;
    let mut statements = written(engine, &[TABLE, OPEN]);
    statements.push(format!(
        "CREATE INDEX svc_journal_lines_due ON svc_journal_lines (company_id, aged_side, ({}), ({})) \
         WHERE aged_side IS NOT NULL",
        contact(engine, ""),
        due("")
    ));
    statements.extend(if is_postgres { on_postgres() } else { on_sqlite() });
    statements
}

const TABLE: &str = "CREATE TABLE svc_open_balances (
        company_id {uuid} NOT NULL,
        aged_side {small} NOT NULL,
        contact_id {uuid} NOT NULL,
        balance {big} NOT NULL,
        PRIMARY KEY (company_id, aged_side, contact_id)
    ){hot}";

const OPEN: &str = "CREATE INDEX svc_open_balances_open ON svc_open_balances \
     (company_id, aged_side, contact_id, balance) WHERE balance <> 0";

/// The lines that count.
const COUNTS: &str = "entry_status > 0 AND aged_side IS NOT NULL";

fn on_sqlite() -> Vec<String> {
    let contact = |row: &str| contact(DatabaseBackend::Sqlite, row);
    let add = |row: &str, (plus, minus): (&str, &str)| {
        format!(
            "INSERT INTO svc_open_balances (company_id, aged_side, contact_id, balance) \
             VALUES ({row}company_id, {row}aged_side, {}, {row}{plus} - {row}{minus}) \
             ON CONFLICT (company_id, aged_side, contact_id) DO UPDATE SET balance = balance + excluded.balance;",
            contact(row)
        )
    };
    let (more, less) = (add("NEW.", ("debit", "credit")), add("OLD.", ("credit", "debit")));
    let trigger = |event: &str, row: &str, does: &str| {
        let (name, _) = event.split_once(' ').unwrap_or((event, ""));
        format!(
            "CREATE TRIGGER svc_open_balances_{name} AFTER {event} ON svc_journal_lines \
             WHEN {row}entry_status > 0 AND {row}aged_side IS NOT NULL BEGIN {does} END"
        )
    };
    vec![
        trigger("INSERT", "NEW.", &more),
        trigger("DELETE", "OLD.", &less),
        trigger("UPDATE OF company_id, contact_id", "NEW.", &format!("{less} {more}")),
    ]
}

fn on_postgres() -> Vec<String> {
    let contact = contact(DatabaseBackend::Postgres, "");
    let add = |rows: &str, balance: &str| {
        format!(
            "INSERT INTO svc_open_balances AS kept (company_id, aged_side, contact_id, balance) \
             SELECT company_id, aged_side, {contact}, sum({balance}) FROM {rows} WHERE {COUNTS} \
             GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 ON CONFLICT (company_id, aged_side, contact_id) DO UPDATE \
             SET balance = kept.balance + excluded.balance;"
        )
    };
    let (more, less) = (add("added", "debit - credit"), add("removed", "credit - debit"));
    let function = format!(
        "CREATE FUNCTION svc_journal_lines_open() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF TG_OP <> 'INSERT' THEN {less} END IF; IF TG_OP <> 'DELETE' THEN {more} END IF; RETURN NULL; END $$"
    );
    let trigger = |event: &str, rows: &str| {
        format!(
            "CREATE TRIGGER svc_open_balances_{event} AFTER {event} ON svc_journal_lines REFERENCING {rows} \
             FOR EACH STATEMENT EXECUTE FUNCTION svc_journal_lines_open()"
        )
    };
    vec![
        function,
        trigger("INSERT", "NEW TABLE AS added"),
        trigger("DELETE", "OLD TABLE AS removed"),
        trigger("UPDATE", "OLD TABLE AS removed NEW TABLE AS added"),
    ]
}
