//! Records that many units look for at the same time are read by one statement.

use std::collections::{BTreeSet, HashMap};
use std::marker::PhantomData;

use async_trait::async_trait;
use sea_orm::sea_query::ValueType;
use sea_orm::{DatabaseConnection, DbErr, EntityTrait, IdenStatic, Iterable, ModelTrait};
use uuid::Uuid;

use super::batcher::{BatchJob, BatchRequest, Batcher};
use super::shared::given_up;
use crate::business::rows::{ColumnOf, ModelOf, Row};
use crate::statement::{ROWS, Sql};

/// Reads records of one kind by their ids.
pub(crate) struct Records<R> {
    pool: DatabaseConnection,
    kind: PhantomData<fn() -> R>,
}

#[async_trait]
impl<R: Row> BatchJob for Records<R> {
    type Request = Uuid;
    type Answer = Result<Option<ModelOf<R>>, DbErr>;

    const MOST: usize = ROWS;

    fn weight(_: &Uuid) -> usize {
        1
    }

    async fn run(&self, asked: Vec<BatchRequest<Self>>) {
        let found = self.read(asked.iter().map(|one| one.ask).collect()).await;
        for BatchRequest { ask, answer } in asked {
            let row = found.as_ref().map(|rows| rows.get(&ask).cloned()).map_err(DbErr::clone);
            let _gone = answer.send(row);
        }
    }
}

impl<R: Row> Records<R> {
    pub(super) fn new(pool: DatabaseConnection) -> Self {
        Self { pool, kind: PhantomData }
    }

    async fn read(&self, ids: BTreeSet<Uuid>) -> Result<HashMap<Uuid, ModelOf<R>>, DbErr> {
        // Each by its name: a prepared `*` fails once a newer server has added a column.
        let columns: Vec<&str> = ColumnOf::<R>::iter().map(|column| IdenStatic::as_str(&column)).collect();
        let columns = columns.join(", ");
        let text =
            format!("SELECT {columns} FROM {} WHERE {}", R::Entity::default().as_str(), R::ID.as_str());
        let found = Sql::on(self.pool.get_database_backend(), &text).among(ids).statement();
        let rows = R::Entity::find().from_raw_sql(found).all(&self.pool).await?;
        let with_id = |row: ModelOf<R>| Some((<Uuid as ValueType>::try_from(row.get(R::ID)).ok()?, row));
        Ok(rows.into_iter().filter_map(with_id).collect())
    }
}

impl<R: Row> Batcher<Records<R>> {
    /// The row with this id, of whichever company: who asks has to hold it against the scope.
    pub(crate) async fn find(&self, id: Uuid) -> Result<Option<ModelOf<R>>, DbErr> {
        self.ask(id).await.unwrap_or_else(|| Err(given_up()))
    }
}
