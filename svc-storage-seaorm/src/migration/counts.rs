//! How many records each company has of each kind, kept by the database in the commit of every change: the `total` of
//! a list costs the same for a thousand records as for a million.
//!
//! SQLite adds to the one row of a kind, and takes it out with its last record. On PostgreSQL, where units of one
//! company commit at the same time and would wait for each other at that row, each statement leaves a row of its own;
//! the number is their sum, and one of fifty rows comes with a folding of those of the kinds that its statement changes. A
//! statement that changes many kinds at once, as an import does, leaves a row for each of them, and folds as much more often.

use sea_orm::DatabaseBackend;

use super::types::written;
use super::{assets, bank, books, business, data_room, documents, notices, purchases, sales, signature, tax};

/// The records whose number is kept, of every part.
const ALL: [&[Counted]; 11] = [
    assets::COUNTED,
    bank::COUNTED,
    books::COUNTED,
    business::COUNTED,
    data_room::COUNTED,
    documents::COUNTED,
    notices::COUNTED,
    purchases::COUNTED,
    sales::COUNTED,
    signature::COUNTED,
    tax::COUNTED,
];

/// A table of records whose number is kept.
pub(crate) struct Counted {
    pub(crate) table: &'static str,
    /// What is counted apart: columns of the table, each with its type.
    pub(crate) kinds: &'static [(&'static str, &'static str)],
}

/// Creates the counts of these tables.
pub(crate) fn statements(engine: DatabaseBackend, tables: &[Counted]) -> Vec<String> {
    let all = |counted: &Counted| {
        if engine == DatabaseBackend::Postgres { on_postgres(counted) } else { on_sqlite(counted) }
    };
    tables.iter().flat_map(all).collect()
}

/// Earlier versions folded with one statement of fifty, however many rows it left.
pub(super) fn folded_by_the_row(engine: DatabaseBackend) -> Vec<String> {
    if engine == DatabaseBackend::Postgres {
        ALL.into_iter().flatten().map(Counted::function).collect()
    } else {
        Vec::new()
    }
}

impl Counted {
    /// The company and what is counted apart, each name behind `of`.
    fn columns(&self, of: &str) -> String {
        let names = std::iter::once("company_id").chain(self.kinds.iter().map(|(name, _)| *name));
        names.map(|name| format!("{of}{name}")).collect::<Vec<_>>().join(", ")
    }

    /// What a statement of PostgreSQL does with the counts of this table.
    fn function(&self) -> String {
        let (table, columns) = (self.table, self.columns(""));
        let count = |rows: &str| {
            format!(
                "INSERT INTO {table}_counts ({columns}, number) SELECT {columns}, sum(one) FROM ({rows}) AS rows \
                 GROUP BY {columns} HAVING sum(one) <> 0;"
            )
        };
        let more = format!("SELECT {columns}, 1 AS one FROM added");
        let less = format!("SELECT {columns}, -1 AS one FROM removed");
        // What another unit is folding is left to it. Each kind is looked up by itself: of the rows of a statement the
        // planner knows nothing, and would rather read all the counts there are.
        let fold = format!(
            "WITH folded AS (DELETE FROM {table}_counts WHERE ctid = ANY(ARRAY( \
             SELECT rows.ctid FROM (SELECT DISTINCT {columns} FROM added) AS kinds CROSS JOIN LATERAL ( \
             SELECT ctid FROM {table}_counts WHERE ({columns}) = ({}) LIMIT 1000 FOR UPDATE SKIP LOCKED) AS rows)) \
             RETURNING {columns}, number AS one) {}",
            self.columns("kinds."),
            count("SELECT * FROM folded")
        );
        format!(
            "CREATE OR REPLACE FUNCTION {table}_count() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE left_rows bigint; \
             BEGIN IF TG_OP = 'INSERT' THEN {} ELSIF TG_OP = 'DELETE' THEN {} RETURN NULL; ELSE {} END IF; \
             GET DIAGNOSTICS left_rows = ROW_COUNT; IF random() < 0.02 * left_rows THEN {fold} END IF; \
             RETURN NULL; END $$",
            count(&more),
            count(&less),
            count(&format!("{more} UNION ALL {less}")),
        )
    }

    fn created(&self, engine: DatabaseBackend, end: &str) -> String {
        let columns = [("company_id", "{uuid}")].iter().chain(self.kinds).chain(&[("number", "{big}")]);
        let columns: Vec<_> = columns.map(|(name, kind)| format!("{name} {kind} NOT NULL")).collect();
        let template = format!("CREATE TABLE {}_counts ({}{end}", self.table, columns.join(", "));
        written(engine, &[template.as_str()]).concat()
    }
}

fn on_sqlite(counted: &Counted) -> Vec<String> {
    let (table, columns) = (counted.table, counted.columns(""));
    let add = |row: &str, number: i8| {
        let values = counted.columns(row);
        format!(
            "INSERT INTO {table}_counts ({columns}, number) VALUES ({values}, {number}) \
             ON CONFLICT ({columns}) DO UPDATE SET number = number + {number};"
        )
    };
    let (new, old) = (counted.columns("NEW."), counted.columns("OLD."));
    let gone = format!("DELETE FROM {table}_counts WHERE ({columns}) = ({old}) AND number = 0;");
    let (more, less) = (add("NEW.", 1), add("OLD.", -1) + " " + &gone);
    vec![
        counted
            .created(DatabaseBackend::Sqlite, &format!(", PRIMARY KEY ({columns})) STRICT, WITHOUT ROWID")),
        format!("CREATE TRIGGER {table}_counts_added AFTER INSERT ON {table} BEGIN {more} END"),
        format!(
            "CREATE TRIGGER {table}_counts_changed AFTER UPDATE OF {columns} ON {table} \
             WHEN ({new}) IS NOT ({old}) BEGIN {less} {more} END"
        ),
        format!("CREATE TRIGGER {table}_counts_removed AFTER DELETE ON {table} BEGIN {less} END"),
    ]
}

fn on_postgres(counted: &Counted) -> Vec<String> {
    let (table, columns) = (counted.table, counted.columns(""));
    let trigger = |event: &str, rows: &str| {
        let name = event.to_lowercase();
        format!(
            "CREATE TRIGGER {table}_counts_{name} AFTER {event} ON {table} REFERENCING {rows} FOR EACH STATEMENT \
             EXECUTE FUNCTION {table}_count()"
        )
    };
    vec![
        counted.created(
            DatabaseBackend::Postgres,
            ") WITH (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01)",
        ),
        format!("CREATE INDEX {table}_counts_kind ON {table}_counts ({columns})"),
        counted.function(),
        trigger("INSERT", "NEW TABLE AS added"),
        trigger("UPDATE", "OLD TABLE AS removed NEW TABLE AS added"),
        trigger("DELETE", "OLD TABLE AS removed"),
    ]
}
