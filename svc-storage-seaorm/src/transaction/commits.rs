//! Units that only add rows commit together.
//!
//! A commit that waits for the disk, and the round trips around it, cost more
//! than the rows of a small unit. So units that have nothing but insertions left
//! when they commit go as one statement of PostgreSQL, or one turn of SQLite's
//! writer. It takes effect as a whole, before any of them is told so. If the
//! database refuses it, nothing of it took effect, and it goes in halves: in the end
//! only the unit that is to blame fails.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{DatabaseConnection, DbErr};

use super::batcher::{BatchJob, BatchRequest};
use super::open::Open;
use crate::error::is_refused;
use crate::outbox::committed::CommittedEvents;
use crate::sqlite::writer::Writer;
use crate::statement::{Insertion, Published, ROWS};

pub(super) struct Commits {
    pub(super) to: To,
    /// Where events go that were committed.
    pub(super) committed: Arc<CommittedEvents>,
}

pub(super) enum To {
    Sqlite(Writer),
    Postgres(DatabaseConnection),
}

#[async_trait]
impl BatchJob for Commits {
    type Request = Vec<Insertion>;
    type Answer = Result<(), DbErr>;

    const MOST: usize = ROWS;

    fn weight(unit: &Vec<Insertion>) -> usize {
        unit.iter().map(Insertion::len).sum()
    }

    async fn run(&self, units: Vec<BatchRequest<Self>>) {
        if let [one] = units.as_slice()
            && let Some(event) = Insertion::only_event(&one.ask)
        {
            self.committed.alone(event);
        }
        let mut parts = vec![units];
        while let Some(mut part) = parts.pop() {
            let outcome = self.write(part.iter().flat_map(|one| &one.ask).cloned()).await;
            if part.len() > 1 && outcome.as_ref().is_err_and(is_refused) {
                let half = part.split_off(part.len() / 2);
                parts.extend([half, part]);
                continue;
            }
            let outcome = outcome.map(|published| self.committed.keep(published));
            for unit in part {
                let _gone = unit.answer.send(outcome.clone().map(drop));
            }
            // Who is woken last goes on first: the fan-out sends its statement, and the answers are written
            // while the database works.
            if outcome.is_ok_and(|published| published) {
                self.committed.wake();
            }
        }
    }
}

impl Commits {
    async fn write(&self, insertions: impl IntoIterator<Item = Insertion>) -> Result<Published, DbErr> {
        let mut tables = Vec::new();
        for insertion in insertions {
            let apart = insertion.join(&mut tables);
            tables.extend(apart);
        }
        match &self.to {
            To::Sqlite(writer) => {
                let turn = Open::Sqlite(writer.turn().await?);
                let published = turn.add(tables).await?;
                turn.commit().await.map(|()| published)
            }
            To::Postgres(connection) => Insertion::run_together(tables, connection).await,
        }
    }
}
