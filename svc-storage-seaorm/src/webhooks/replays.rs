//! Replays: the jobs that send again.
//!
//! A step holds the row of its job, and its subscription's against removal,
//! both taken without waiting: the step passes over what another unit holds. So a
//! step waits for no other unit before it adds deliveries, and a removal, which takes
//! the subscription first and its replays after, waits for the step to end.

mod look;
mod row;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseBackend, FromQueryResult};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{ReplayId, SubscriptionId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_webhooks::ports::{DueReplay, ReplayReader, ReplayStore};
use svc_webhooks::replay::{Candidate, Look, Replay, Selection, WAITING};

use self::row::Row;
use crate::error::backend;
use crate::lock::serialise;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::window::Window;

/// How long a replay is put off that cannot be read: by this program, at least.
const PUT_OFF: Duration = Duration::from_mins(1);

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ReplayReader for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        one(self.found(scope, id).one(&self.conn).await?)
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        request: PageRequest,
    ) -> Result<Page<Replay>, StoreError> {
        let matching = |select: &str| {
            Sql::new(&self.conn, select)
                .text(" FROM svc_replays WHERE subscription_id = ")
                .bind(subscription.uuid())
                .text(" AND account_id")
                .within(scope)
        };
        let total = matching("SELECT count(*)").count(&self.conn).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let order =
            if window.backwards { " ORDER BY asked_at, id" } else { " ORDER BY asked_at DESC, id DESC" };
        let mut rows = matching("SELECT *").text(order).window(window).all(&self.conn).await?;
        if window.backwards {
            rows.reverse();
        }
        let items = rows.into_iter().map(|row| one(Some(row)).map(Option::into_iter));
        let items = items.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        Ok(Page { items, total, request })
    }

    async fn count(&self, selection: &Selection) -> Result<u64, StoreError> {
        look::count(&self.conn, selection).await
    }

    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let first = "SELECT due_at FROM svc_replays WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1";
        let row = Sql::new(&self.conn, first).one(&self.conn).await?;
        let at: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
        Ok(at.map(Timestamp::from_unix_micros))
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ReplayStore for SeaStore<C> {
    async fn insert(&self, replay: &Replay, most: u32) -> Result<bool, StoreError> {
        let subscription = replay.selection.subscription.uuid();
        serialise(&self.conn, "svc_replays.subscription_id", &[subscription.as_bytes()]).await?;
        let held = Sql::new(&self.conn, "SELECT id FROM svc_subscriptions WHERE id = ")
            .bind(subscription)
            .on_postgres(" FOR KEY SHARE")
            .one(&self.conn)
            .await?;
        if held.is_none() {
            return Err(StoreError::Conflict);
        }
        let open = Sql::new(&self.conn, "SELECT count(*) FROM svc_replays WHERE subscription_id = ")
            .bind(subscription)
            .text(" AND due_at IS NOT NULL");
        if open.count(&self.conn).await? >= u64::from(most) {
            return Ok(false);
        }
        Sql::new(&self.conn, &format!("INSERT INTO svc_replays ({})", row::COLUMNS))
            .rows([row::values(replay)])
            .execute(&self.conn)
            .await?;
        self.owe_entry();
        Ok(true)
    }

    async fn lock(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        one(self.found(scope, id).on_postgres(" FOR UPDATE").one(&self.conn).await?)
    }

    async fn take_due(&self, now: Timestamp) -> Result<Option<DueReplay>, StoreError> {
        let due = Sql::new(
            &self.conn,
            "SELECT svc_replays.* FROM svc_replays JOIN svc_subscriptions ON svc_subscriptions.id = svc_replays.subscription_id \
             WHERE svc_replays.due_at <= ",
        )
        .bind(now.unix_micros())
        .text(" ORDER BY svc_replays.due_at, svc_replays.id LIMIT 1")
        .on_postgres(" FOR UPDATE OF svc_replays SKIP LOCKED FOR KEY SHARE OF svc_subscriptions SKIP LOCKED")
        .one(&self.conn)
        .await?;
        let Some(found) = due else { return Ok(None) };
        let row = Row::from_query_result(&found, "").map_err(backend)?;
        let (id, subscription) = (row.id, SubscriptionId::from_uuid(row.subscription_id));
        let due = async {
            let replay = row::read(&row)?;
            let of = self.subscriptions(&BTreeSet::from([subscription])).await?;
            let of = of.into_iter().next().ok_or(StoreError::Conflict)?;
            let (subscription, _) = of.1?;
            Ok::<_, StoreError>((replay, subscription))
        };
        match due.await {
            Ok((replay, subscription)) => {
                let waiting = self.first_attempts(subscription.id).await?;
                Ok(Some(DueReplay { replay, subscription: Arc::new(subscription), waiting }))
            }
            Err(error) => {
                let id = ReplayId::from_uuid(id);
                tracing::error!(replay = %id, %subscription, ?error, "a replay cannot be read and is put off");
                self.put_off(id, now.plus(PUT_OFF)).await?;
                Ok(None)
            }
        }
    }

    async fn look(&self, selection: &Selection, look: &Look) -> Result<Vec<Candidate>, StoreError> {
        look::look(&self.conn, selection, look).await
    }

    async fn replace(&self, before: Version, after: &Replay) -> Result<(), StoreError> {
        let replaced = row::update(&self.conn, after)
            .text(" WHERE id = ")
            .bind(after.id.uuid())
            .text(" AND version = ")
            .bind(before.as_i64())
            .execute(&self.conn)
            .await?;
        if replaced == 0 { Err(StoreError::Conflict) } else { Ok(()) }
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_replays WHERE id")
            .selected(|sql| {
                sql.text("SELECT id FROM svc_replays WHERE ended_at < ")
                    .bind(before.unix_micros())
                    .text(" ORDER BY ended_at LIMIT ")
                    .bind(i64::from(limit))
                    .on_postgres(" FOR UPDATE SKIP LOCKED")
            })
            .execute(&self.conn)
            .await
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    fn found(&self, scope: &Scope, id: ReplayId) -> Sql {
        Sql::new(&self.conn, "SELECT * FROM svc_replays WHERE id = ")
            .bind(id.uuid())
            .text(" AND account_id")
            .within(scope)
    }

    /// First attempts of a subscription that wait or are under way, counted up to the most that matters.
    async fn first_attempts(&self, subscription: SubscriptionId) -> Result<u32, StoreError> {
        let some = Sql::new(&self.conn, "SELECT count(*) FROM (SELECT 1 FROM svc_delivery_queue AS queued");
        // Each engine finds the index by other words: SQLite by those of the index with a truth of its own,
        // PostgreSQL only when it does not know the truth beforehand.
        let some = if self.conn.get_database_backend() == DatabaseBackend::Postgres {
            some.text(
                " JOIN svc_delivery_lanes AS lane ON queued.subscription_id = lane.subscription_id \
                 AND (queued.attempt > 0) = lane.retry WHERE NOT lane.retry AND lane.subscription_id = ",
            )
            .bind(subscription.uuid())
        } else {
            some.text(" WHERE (attempt > 0) = 0 AND subscription_id = ").bind(subscription.uuid())
        };
        let waiting =
            some.text(" LIMIT ").bind(i64::from(WAITING)).text(") AS waiting").count(&self.conn).await?;
        Ok(u32::try_from(waiting).unwrap_or(u32::MAX))
    }

    async fn put_off(&self, id: ReplayId, due_at: Timestamp) -> Result<(), StoreError> {
        Sql::new(&self.conn, "UPDATE svc_replays SET version = version + 1, due_at = ")
            .bind(due_at.unix_micros())
            .text(" WHERE id = ")
            .bind(id.uuid())
            .execute(&self.conn)
            .await
            .map(|_| ())
    }

    /// The replays of a subscription that is gone.
    pub(super) async fn forget_replays(&self, id: SubscriptionId) -> Result<(), StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_replays WHERE subscription_id = ")
            .bind(id.uuid())
            .execute(&self.conn)
            .await
            .map(|_| ())
    }
}

fn one(row: Option<sea_orm::QueryResult>) -> Result<Option<Replay>, StoreError> {
    row.map(|row| row::read(&Row::from_query_result(&row, "").map_err(backend)?)).transpose()
}
