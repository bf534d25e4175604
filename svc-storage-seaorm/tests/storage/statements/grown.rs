//! A database whose tables have grown, without rules: its rows mean nothing, but there are many.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

use crate::fresh::Fresh;

/// Rows of each table.
const ROWS: u32 = 100_000;
/// Columns of the company that a row belongs to; that of nearly all is the same one.
pub(super) const OWNER: [&str; 3] = ["company_id", "account_id", "primary_account_id"];

/// Tables with one row for each company.
const ONE_FOR_EACH: [&str; 3] = ["svc_group_members", "svc_request_budgets", "svc_audit_heads"];

/// Statements that end what refuses rows without meaning, and what gathers statistics by itself.
const RULES_OF_POSTGRES: &str = "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', CAST(conrelid AS regclass), conname) \
     FROM pg_constraint WHERE contype IN ('c', 'f') AND connamespace = CAST('public' AS regnamespace) \
     AND conparentid = 0 AND coninhcount = 0 UNION ALL \
     SELECT format('DROP TRIGGER %I ON %s', tgname, CAST(tgrelid AS regclass)) FROM pg_trigger \
     WHERE NOT tgisinternal AND tgparentid = 0 UNION ALL \
     SELECT format('ALTER TABLE %I SET (autovacuum_enabled = off)', relname) FROM pg_class \
     WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'";
const RULES_OF_SQLITE: &str = "SELECT 'DROP TRIGGER ' || name FROM sqlite_schema WHERE type = 'trigger' UNION ALL \
     SELECT 'PRAGMA ignore_check_constraints = ON' UNION ALL SELECT 'PRAGMA foreign_keys = OFF' \
     UNION ALL SELECT 'PRAGMA synchronous = OFF' UNION ALL SELECT 'PRAGMA automatic_index = OFF'";

/// A database that has grown.
pub(super) struct Grown {
    pub(super) conn: DatabaseConnection,
}

struct Column {
    name: String,
    kind: String,
    nullable: bool,
}

impl Grown {
    /// Fills every table of this one.
    pub(super) async fn of(fresh: &Fresh) -> Self {
        let grown = Self { conn: fresh.raw().await };
        grown.without_rules().await;
        for table in grown.tables().await {
            grown.fill(&table).await;
        }
        grown
    }

    pub(super) fn is_on_postgres(&self) -> bool {
        self.conn.get_database_backend() == DbBackend::Postgres
    }

    /// What is written otherwise on PostgreSQL than on SQLite.
    fn written<T>(&self, postgres: T, sqlite: T) -> T {
        if self.is_on_postgres() { postgres } else { sqlite }
    }

    /// Gathers statistics.
    pub(super) async fn analyse(&self) {
        self.run(self.written("VACUUM ANALYZE", "ANALYZE")).await;
    }

    pub(super) async fn close(self) {
        self.conn.close().await.expect("closed");
    }

    /// Every table that grows.
    async fn tables(&self) -> Vec<String> {
        let sql = self.written(
            "SELECT CAST(relname AS text) FROM pg_class WHERE relnamespace = CAST('public' AS regnamespace) \
             AND relkind IN ('r', 'p') AND NOT relispartition AND relname LIKE 'svc\\_%'",
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'svc!_%' ESCAPE '!' \
             AND name NOT GLOB '*_text*' AND name NOT GLOB '*_letters'",
        );
        let mut tables = self.texts(sql).await;
        // One row for each server, part or key.
        tables
            .retain(|table| !["svc_migrations", "svc_authority", "svc_key_check"].contains(&table.as_str()));
        tables
    }

    /// Lets rows in that no use case would make.
    async fn without_rules(&self) {
        let sql = self.written(RULES_OF_POSTGRES, RULES_OF_SQLITE);
        for sql in self.texts(sql).await {
            self.run(&sql).await;
        }
    }

    async fn fill(&self, table: &str) {
        let columns = self.columns(table).await;
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<_> = columns.iter().map(|column| self.value(table, column)).collect();
        let (names, values) = (names.join(", "), values.join(", "));
        let numbers = self.written(
            format!("SELECT n FROM generate_series(1, {ROWS}) AS n"),
            format!(
                "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < {ROWS}) \
                 SELECT n FROM count"
            ),
        );
        let (or, ignore) = self.written(("", " ON CONFLICT DO NOTHING"), ("OR IGNORE ", ""));
        self.run(&format!(
            "INSERT {or}INTO {table} ({names}) SELECT {values} FROM ({numbers}) AS numbers{ignore}"
        ))
        .await;
    }

    /// What a row with the number `n` has in a column.
    fn value(&self, table: &str, column: &Column) -> String {
        let postgres = self.is_on_postgres();
        let id = |number: &str| {
            self.written(
                format!("CAST(lpad(to_hex({number}), 32, '0') AS uuid)"),
                format!("unhex(printf('%032x', {number}))"),
            )
        };
        let value = match column.kind.as_str() {
            // Nearly everything belongs to one company, and each subscription has some of all.
            "uuid" | "blob" if OWNER.contains(&column.name.as_str()) && !ONE_FOR_EACH.contains(&table) => {
                id("CASE WHEN n % 100 = 0 THEN n ELSE 1 END")
            }
            "uuid" | "blob" if column.name == "subscription_id" && table.starts_with("svc_deliver") => {
                id("n % 200")
            }
            "uuid" | "blob" => id("n"),
            "bytea" => "decode(md5(CAST(n AS text)), 'hex')".to_owned(),
            "boolean" => "n % 10 = 0".to_owned(),
            "smallint" => "CASE WHEN n % 50 = 0 THEN 1 ELSE 0 END".to_owned(),
            "integer" if column.name == "position" => "n".to_owned(),
            "integer" if postgres => "n % 4".to_owned(),
            "integer" | "bigint" => "n".to_owned(),
            "text" if column.name == "tag" => "'t' || n % 40".to_owned(),
            "text" => "'v' || n".to_owned(),
            other => unreachable!("no table has a column of {other}"),
        };
        if column.nullable { format!("CASE WHEN n % 2 = 0 THEN {value} END") } else { value }
    }

    async fn columns(&self, table: &str) -> Vec<Column> {
        let sql = self.written(format!(
                "SELECT CAST(column_name AS text) || ' ' || CAST(data_type AS text) || ' ' || CAST(is_nullable AS text) \
                 FROM information_schema.columns WHERE table_name = '{table}' AND table_schema = 'public' \
                 AND is_identity = 'NO' AND is_generated = 'NEVER'"
            ), format!(
                "SELECT name || ' ' || lower(type) || ' ' || iif(\"notnull\" OR pk, 'NO', 'YES') \
                 FROM pragma_table_info('{table}')"
            ));
        let read = |line: String| {
            let mut words = line.split(' ').map(str::to_owned);
            let mut next = || words.next().expect("three words");
            let (name, kind) = (next(), next());
            Column { name, kind, nullable: next() == "YES" }
        };
        self.texts(&sql).await.into_iter().map(read).collect()
    }

    /// The first column of what is selected.
    pub(super) async fn texts(&self, sql: &str) -> Vec<String> {
        let rows =
            self.conn.query_all_raw(Statement::from_string(self.conn.get_database_backend(), sql)).await;
        let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error}"));
        rows.iter().map(|row| row.try_get_by_index(0).expect("a text")).collect()
    }

    pub(super) async fn run(&self, sql: &str) {
        self.conn.execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}
