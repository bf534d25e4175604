//! Indexes of the texts that records are searched by: every three letters that follow each other in `search_key`,
//! and the last two. So a part of a word is found as well as a word, from two letters on.
//!
//! On PostgreSQL it is a GIN index of what a function makes of the key: `pg_trgm` would be an extension that a
//! database may not have, knows no letters but ASCII where the locale is `C`, and finds no two letters. On SQLite it
//! is a table of FTS5 without the texts themselves, which triggers keep; a second one lists its groups of letters.

use sea_orm::DatabaseBackend;

/// Creates the text index of each of these tables, which are the first ones to have any.
pub(crate) fn statements(engine: DatabaseBackend, tables: &[&str]) -> Vec<String> {
    let function = (engine == DatabaseBackend::Postgres).then(|| LETTERS.to_owned());
    function.into_iter().chain(on_tables(engine, tables)).collect()
}

/// Creates the text index of each of these tables.
pub(crate) fn on_tables(engine: DatabaseBackend, tables: &[&str]) -> Vec<String> {
    if engine == DatabaseBackend::Postgres {
        tables.iter().map(|table| on_postgres(table)).collect()
    } else {
        tables.iter().flat_map(|table| on_sqlite(table)).collect()
    }
}

const LETTERS: &str = "CREATE FUNCTION svc_letters(text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS \
     $$ SELECT pg_catalog.array_to_tsvector(pg_catalog.array_agg(DISTINCT pg_catalog.substr($1, n, 3))) \
     FROM pg_catalog.generate_series(1, pg_catalog.length($1) - 1) AS n $$";

/// What is added lately is kept apart until there is enough to put it in its places at once; a search reads it too,
/// so it is kept short (in KiB).
fn on_postgres(table: &str) -> String {
    format!(
        "CREATE INDEX {table}_text ON {table} USING gin (svc_letters(search_key)) WITH (gin_pending_list_limit = 512)"
    )
}

/// The line break stands behind the last two letters.
fn on_sqlite(table: &str) -> [String; 5] {
    let put = |when: &str, rank: &str, row: &str| {
        format!(
            "INSERT INTO {table}_text ({rank}rowid, letters) VALUES ({when}{row}.row_id, {row}.search_key || char(10));"
        )
    };
    let (add, remove) = (put("", "", "NEW"), put("'delete', ", &format!("{table}_text, "), "OLD"));
    [
        format!(
            "CREATE VIRTUAL TABLE {table}_text USING fts5 \
             (letters, content = '', columnsize = 0, detail = none, tokenize = 'trigram')"
        ),
        format!("CREATE VIRTUAL TABLE {table}_letters USING fts5vocab ({table}_text, 'row')"),
        format!("CREATE TRIGGER {table}_text_added AFTER INSERT ON {table} BEGIN {add} END"),
        format!(
            "CREATE TRIGGER {table}_text_changed AFTER UPDATE OF search_key ON {table} \
             WHEN NEW.search_key <> OLD.search_key BEGIN {remove} {add} END"
        ),
        format!("CREATE TRIGGER {table}_text_removed AFTER DELETE ON {table} BEGIN {remove} END"),
    ]
}
