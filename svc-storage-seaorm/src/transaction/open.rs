//! A transaction that has begun.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::pooled::Pooled;
use crate::business::account::still_active;
use crate::sqlite::writer::Turn;
use crate::statement::Insertion;

/// An open transaction of either engine; dropping it rolls it back.
pub(super) enum Open {
    /// A turn of the one writer.
    Sqlite(Turn),
    /// A transaction on a connection of its own.
    Postgres(Pooled),
}

impl Open {
    pub(super) fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        match self {
            Self::Sqlite(turn) => turn.transaction(),
            Self::Postgres(pooled) => pooled.transaction(),
        }
    }

    /// Runs what was put off.
    pub(super) async fn add(&self, insertions: Vec<Insertion>) -> Result<(), DbErr> {
        let transaction = self.transaction()?;
        match self {
            Self::Sqlite(_) => {
                let companies = insertions.iter().flat_map(|one| one.companies().iter().copied());
                still_active(transaction, companies).await?;
                for insertion in insertions {
                    let statement = insertion.statement(transaction.get_database_backend());
                    transaction.execute_raw(statement).await?;
                }
            }
            Self::Postgres(_) => {
                if let Some(together) = Insertion::together(insertions) {
                    transaction.execute_raw(together).await?;
                }
            }
        }
        Ok(())
    }

    pub(super) async fn commit(self) -> Result<(), DbErr> {
        match self {
            Self::Sqlite(turn) => turn.commit().await,
            Self::Postgres(pooled) => pooled.commit().await,
        }
    }
}
