//! Where statements read that belong to no unit of work.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement};

use crate::sqlite::timed::TimedConnections;
use crate::transaction::DeferInsert;

/// Where statements read that belong to no unit of work. Each ends in time.
#[derive(Clone, Debug)]
pub(crate) enum Readers {
    /// A pool: of PostgreSQL, which has a time limit of statements, or for a command that has the whole file.
    Pool(DatabaseConnection),
    /// A SQLite file in use.
    Timed(Arc<TimedConnections>),
}

impl Readers {
    /// Closes all connections.
    pub(crate) async fn close(&self) -> Result<(), DbErr> {
        match self {
            Self::Pool(pool) => pool.close_by_ref().await,
            Self::Timed(connections) => connections.close().await,
        }
    }
}

impl From<DatabaseConnection> for Readers {
    fn from(pool: DatabaseConnection) -> Self {
        Self::Pool(pool)
    }
}

impl DeferInsert for Readers {}

/// Runs a statement on a connection that is free.
macro_rules! read {
    ($self:ident.$method:ident($argument:expr)) => {
        match $self {
            Readers::Pool(pool) => pool.$method($argument).await,
            Readers::Timed(connections) => {
                let read = connections.begin().await?;
                let answer = read.conn().$method($argument).await;
                read.ended();
                answer
            }
        }
    };
}

#[async_trait]
impl ConnectionTrait for Readers {
    fn get_database_backend(&self) -> DbBackend {
        match self {
            Self::Pool(pool) => pool.get_database_backend(),
            Self::Timed(_) => DbBackend::Sqlite,
        }
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        read!(self.execute_raw(statement))
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        read!(self.execute_unprepared(sql))
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        read!(self.query_one_raw(statement))
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        read!(self.query_all_raw(statement))
    }
}
