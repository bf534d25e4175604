//! A transaction that has begun.

use sea_orm::{DatabaseTransaction, DbErr};

use super::pooled::Pooled;
use crate::sqlite::writer::WriterGuard;
use crate::statement::{Insertion, Published};

/// An open transaction of either engine; dropping it rolls it back.
pub(super) enum Open {
    /// A turn of the one writer.
    Sqlite(WriterGuard),
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

    /// Runs what was put off; answers the events that are in the outbox once this is committed.
    pub(super) async fn add(&self, insertions: Vec<Insertion>) -> Result<Published, DbErr> {
        let transaction = self.transaction()?;
        match self {
            Self::Sqlite(_) => {
                let mut published = Vec::new();
                for insertion in insertions {
                    published.extend(insertion.run(transaction).await?);
                }
                Ok(published)
            }
            Self::Postgres(_) => Insertion::run_together(insertions, transaction).await,
        }
    }

    pub(super) async fn commit(self) -> Result<(), DbErr> {
        match self {
            Self::Sqlite(turn) => turn.commit().await,
            Self::Postgres(pooled) => pooled.commit().await,
        }
    }
}
