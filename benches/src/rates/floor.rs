//! Transactions written by hand that leave the same rows: what the database itself allows.
//!
//! Each looks at the company under a shared lock, adds a copy of the rows that one request of the service left, with ids
//! of their own, and commits alone. On PostgreSQL as many connections do it as clients sent requests; SQLite has one
//! writer. The triggers of the tables work as they do for the service.

use std::sync::Arc;
use std::time::Instant;

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseBackend, DatabaseConnection, Statement, TransactionTrait as _,
};
use svc_core::clock::Clock as _;
use svc_core::id::{AccountId, SalesDocumentId, TypedId};
use svc_core::system::{OsRandom, SystemClock};
use tokio::task::JoinSet;

/// Connections to the database of a server that has stopped.
pub(super) struct Floor {
    conn: DatabaseConnection,
    writers: u32,
}

/// Rows to copy.
struct Copied {
    table: &'static str,
    /// Which ones, by the id of their record.
    of: &'static str,
    /// Columns with values of their own.
    own: &'static [(&'static str, Own)],
}

/// A value of a copy.
#[derive(Clone, Copy)]
enum Own {
    /// The id of the new record.
    Record,
    /// A new id.
    New,
    /// The next number of the journal.
    Number,
}

/// A request of the service, as the rows that it leaves.
pub(super) struct Request {
    copied: &'static [Copied],
    is_numbered: bool,
}

const EVENTS: Copied = Copied { table: "svc_events", of: "object_id", own: &[("id", Own::New)] };

/// A draft with its history and its event.
pub(super) const DRAFT: Request = Request {
    copied: &[
        Copied { table: "svc_sales_documents", of: "id", own: &[("id", Own::Record)] },
        Copied { table: "svc_sales_history", of: "document_id", own: &[("document_id", Own::Record)] },
        EVENTS,
    ],
    is_numbered: false,
};

/// A posted entry with its lines and its events.
pub(super) const ENTRY: Request = Request {
    copied: &[
        Copied {
            table: "svc_journal_entries",
            of: "id",
            own: &[("id", Own::Record), ("number", Own::Number)],
        },
        Copied {
            table: "svc_journal_lines",
            of: "entry_id",
            own: &[("id", Own::New), ("entry_id", Own::Record), ("number", Own::Number)],
        },
        EVENTS,
    ],
    is_numbered: true,
};

impl Floor {
    pub(super) async fn open(url: &str, clients: u32) -> Self {
        let writers = if url.starts_with("postgres") { clients } else { 1 };
        let mut options = ConnectOptions::new(url.to_owned());
        options.max_connections(writers).min_connections(writers).sqlx_logging(false);
        let conn = sea_orm::Database::connect(options).await.expect("the database");
        if conn.get_database_backend() == DatabaseBackend::Sqlite {
            for setting in ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"] {
                conn.execute_unprepared(&format!("PRAGMA {setting}")).await.expect("set");
            }
        }
        Self { conn, writers }
    }

    /// Makes so many copies of what a request left of this record; answers how many a second.
    pub(super) async fn rate<I: TypedId>(
        &self,
        request: &Request,
        company: AccountId,
        id: I,
        count: u32,
    ) -> f64 {
        let statements: Arc<[String]> = self.statements(request, company, id).await.into();
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for _ in 0..self.writers {
            let (conn, statements, count) =
                (self.conn.clone(), Arc::clone(&statements), count / self.writers);
            tasks.spawn(async move {
                for _ in 0..count {
                    write(&conn, &statements).await;
                }
            });
        }
        tasks.join_all().await;
        f64::from(count / self.writers * self.writers) / start.elapsed().as_secs_f64()
    }

    /// What the transaction of a request consists of.
    async fn statements<I: TypedId>(&self, request: &Request, company: AccountId, id: I) -> Vec<String> {
        let backend = self.conn.get_database_backend();
        let is_postgres = backend == DatabaseBackend::Postgres;
        let literal = |id: sea_orm::prelude::Uuid| {
            if is_postgres { format!("'{id}'::uuid") } else { format!("x'{}'", id.simple()) }
        };
        let (company, template) = (literal(company.uuid()), literal(id.uuid()));
        let share = if is_postgres { " FOR SHARE" } else { "" };
        let mut statements = vec![format!("SELECT * FROM svc_accounts WHERE id = {company}{share}")];
        if request.is_numbered {
            statements.push(format!(
                "UPDATE svc_journal_heads SET number = number + 1 WHERE company_id = {company}"
            ));
        }
        for Copied { table, of, own } in request.copied {
            let columns = self.columns(table).await;
            let value = |column: &String| match own.iter().find(|(name, _)| name == column) {
                None => column.clone(),
                Some((_, Own::Record)) => if is_postgres { "$1" } else { "?1" }.to_owned(),
                Some((_, Own::New)) if is_postgres => "gen_random_uuid()".to_owned(),
                Some((_, Own::New)) => "randomblob(16)".to_owned(),
                Some((_, Own::Number)) => {
                    format!("(SELECT number FROM svc_journal_heads WHERE company_id = {company})")
                }
            };
            let values: Vec<_> = columns.iter().map(value).collect();
            let of = match *of {
                // The copies are of the same object.
                "object_id" => {
                    let ids = format!(
                        "SELECT id FROM svc_events WHERE object_id = '{id}' AND account_id = {company}"
                    );
                    let rows =
                        self.conn.query_all_raw(Statement::from_string(backend, ids)).await.expect("events");
                    let ids = rows.iter().map(|row| literal(row.try_get_by_index(0).expect("an id")));
                    format!("id IN ({})", ids.collect::<Vec<_>>().join(", "))
                }
                of => format!("{of} = {template} AND company_id = {company}"),
            };
            statements.push(format!(
                "INSERT INTO {table} ({}) SELECT {} FROM {table} WHERE {of}",
                columns.join(", "),
                values.join(", ")
            ));
        }
        statements
    }

    /// The columns of a table that are written.
    async fn columns(&self, table: &str) -> Vec<String> {
        let backend = self.conn.get_database_backend();
        let sql = if backend == DatabaseBackend::Postgres {
            format!(
                "SELECT CAST(column_name AS text) FROM information_schema.columns WHERE table_name = '{table}' \
                 AND table_schema = 'public' AND is_generated = 'NEVER'"
            )
        } else {
            format!("SELECT name FROM pragma_table_info('{table}') WHERE name <> 'row_id'")
        };
        let rows = self.conn.query_all_raw(Statement::from_string(backend, sql)).await.expect("columns");
        rows.iter().map(|row| row.try_get_by_index(0).expect("a name")).collect()
    }
}

/// One transaction.
async fn write(conn: &DatabaseConnection, statements: &[String]) {
    let record = SalesDocumentId::generate(SystemClock.now(), &OsRandom);
    let backend = conn.get_database_backend();
    let transaction = conn.begin().await.expect("begun");
    for sql in statements {
        let values =
            if sql.contains("$1") || sql.contains("?1") { vec![record.uuid().into()] } else { Vec::new() };
        let statement = Statement::from_sql_and_values(backend, sql, values);
        if sql.starts_with("SELECT") {
            transaction.query_all_raw(statement).await.expect("read");
        } else {
            transaction.execute_raw(statement).await.expect("written");
        }
    }
    transaction.commit().await.expect("committed");
}
