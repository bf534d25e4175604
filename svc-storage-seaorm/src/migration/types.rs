//! What the column types of the tables are called on each engine.

use sea_orm::DatabaseBackend;

/// The statements with every place for a type filled in.
///
/// `{hot}` ends a table whose rows are rewritten all the time: PostgreSQL leaves room in its pages
/// for the next state of a row (so that no index changes) and clears dead rows early. `{days}` ends the
/// table that PostgreSQL divides by days. `{company}` is the company of a record, see `business`. `{row}` numbers the rows of a
/// table on SQLite, for its text index, and `{own}` is then the key that the table has by itself on PostgreSQL.
pub(crate) fn written<'a>(
    engine: DatabaseBackend,
    templates: impl IntoIterator<Item = &'a &'a str>,
) -> Vec<String> {
    let names = if engine == DatabaseBackend::Postgres { POSTGRES } else { SQLITE };
    let written = |template: &&str| {
        names.iter().fold((*template).to_owned(), |sql, (place, name)| sql.replace(place, name))
    };
    templates.into_iter().map(written).collect()
}

const POSTGRES: &[(&str, &str)] = &[
    ("{uuid}", "uuid"),
    ("{company}", "uuid NOT NULL"),
    ("{small}", "smallint"),
    ("{int}", "integer"),
    ("{big}", "bigint"),
    ("{bool}", "boolean"),
    ("{key}", "text COLLATE \"C\""),
    ("{bytes}", "bytea"),
    ("{counted}", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    ("{row}", ""),
    ("{own}", "PRIMARY KEY"),
    ("{strict}", ""),
    ("{days}", " PARTITION BY RANGE (delivery_id)"),
    (
        "{hot}",
        " WITH (fillfactor = 70, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, \
         autovacuum_vacuum_cost_delay = 0)",
    ),
];

const SQLITE: &[(&str, &str)] = &[
    ("{uuid}", "BLOB"),
    ("{company}", "BLOB NOT NULL REFERENCES svc_accounts (id)"),
    ("{small}", "INTEGER"),
    ("{int}", "INTEGER"),
    ("{big}", "INTEGER"),
    ("{bool}", "INTEGER"),
    ("{key}", "TEXT"),
    ("{bytes}", "BLOB"),
    ("{counted}", "INTEGER PRIMARY KEY"),
    ("{row}", "row_id INTEGER PRIMARY KEY,"),
    ("{own}", "UNIQUE"),
    ("{strict}", " STRICT"),
    ("{days}", " STRICT"),
    ("{hot}", " STRICT"),
];
