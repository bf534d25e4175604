//! Reading and changing subscriptions.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryResult,
};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, SubscriptionId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_webhooks::health::{Health, ReceiverBackoff};
use svc_webhooks::ports::{SubscriptionReader, SubscriptionStore};
use svc_webhooks::subscription::Subscription;

use super::health;
use super::subscription::{self, Column, Entity, Model};
use crate::error::backend;
use crate::lock::serialise;
use crate::outbox::{ReadsReceivers, Receivers};
use crate::scoped::within;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::window::{Window, count};

/// What is read of one receiver.
type Receiver = (SubscriptionId, Result<Subscription, StoreError>, Option<ReceiverBackoff>);

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> SubscriptionReader for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        let found = Entity::find_by_id(id.uuid()).filter(within(scope, &[], Column::AccountId));
        let row = found.one(&self.conn).await.map_err(backend)?;
        row.map(|row| subscription::read(row, &self.sealer)).transpose()
    }

    async fn page(&self, scope: &Scope, request: PageRequest) -> Result<Page<Subscription>, StoreError> {
        let matching = Entity::find().filter(within(scope, &[], Column::AccountId));
        let total = count(&self.conn, matching.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let list = window.apply(matching, [Column::CreatedAt, Column::Id]);
        let mut rows = list.all(&self.conn).await.map_err(backend)?;
        if window.backwards {
            rows.reverse();
        }
        Ok(Page { items: self.opened(rows)?, total, request })
    }

    async fn active(&self, accounts: &[AccountId]) -> Result<Vec<Subscription>, StoreError> {
        let rows = self.active_rows(accounts).await?;
        let mut readable = Vec::with_capacity(rows.len());
        for row in &rows {
            let (id, one, _) = self.receiver(row)?;
            match one {
                Ok(one) => readable.push(one),
                Err(error) => not_readable(id, &error),
            }
        }
        Ok(readable)
    }

    async fn health(
        &self,
        scope: &Scope,
        ids: &[SubscriptionId],
    ) -> Result<BTreeMap<SubscriptionId, Health>, StoreError> {
        self.health_of(scope, ids).await
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> SubscriptionStore for SeaStore<C> {
    async fn insert(&self, subscription: &Subscription, most: u32) -> Result<bool, StoreError> {
        let account = subscription.account.uuid();
        serialise(&self.conn, "svc_subscriptions.account_id", &[account.as_bytes()]).await?;
        let present = count(&self.conn, Entity::find().filter(Column::AccountId.eq(account))).await?;
        if present >= u64::from(most) {
            return Ok(false);
        }
        let row = subscription::of(subscription, &self.sealer);
        Entity::insert(row).exec_without_returning(&self.conn).await.map_err(backend)?;
        self.owe_entry();
        Ok(true)
    }

    async fn replace(&self, before: Version, after: &Subscription) -> Result<(), StoreError> {
        let mut changed = subscription::of(after, &self.sealer);
        changed.not_set(Column::Id);
        let replaced = Entity::update_many()
            .set(changed)
            .filter(Column::Id.eq(after.id.uuid()))
            .filter(Column::AccountId.eq(after.account.uuid()))
            .filter(Column::Version.eq(before.as_i64()))
            .exec(&self.conn)
            .await
            .map_err(backend)?;
        if replaced.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        self.owe_entry();
        Ok(())
    }

    async fn forget_health(&self, id: SubscriptionId) -> Result<(), StoreError> {
        self.drop_health(id).await
    }

    async fn remove(&self, subscription: &Subscription) -> Result<(), StoreError> {
        let removed = Entity::delete_many()
            .filter(Column::Id.eq(subscription.id.uuid()))
            .filter(Column::AccountId.eq(subscription.account.uuid()))
            .filter(Column::Version.eq(subscription.version.as_i64()))
            .exec(&self.conn)
            .await
            .map_err(backend)?;
        if removed.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        self.owe_entry();
        self.mark_removed(subscription.id).await?;
        self.forget_replays(subscription.id).await?;
        self.drop_health(subscription.id).await
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ReadsReceivers for SeaStore<C> {
    async fn receivers_of(&self, account: AccountId) -> Result<Receivers, StoreError> {
        self.receivers(&[account]).await
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Subscriptions with these ids and how their receivers answer, each by itself: one that cannot be
    /// read must not stop the others.
    pub(super) async fn subscriptions(
        &self,
        ids: &BTreeSet<SubscriptionId>,
    ) -> Result<Vec<(SubscriptionId, Result<(Subscription, ReceiverBackoff), StoreError>)>, StoreError> {
        let found = health::with_backoff(Sql::new(&self.conn, ""))
            .text("svc_subscriptions.id")
            .among(ids.iter().map(|id| id.uuid()))
            .all(&self.conn)
            .await?;
        let read = |row: &QueryResult| {
            let (id, one, backoff) = self.receiver(row)?;
            Ok((id, one.map(|one| (one, backoff.unwrap_or_default()))))
        };
        found.iter().map(read).collect()
    }

    /// The active subscriptions of these accounts, and how their receivers answer; `None` where nothing
    /// was sent yet.
    ///
    /// One whose secret cannot be opened must not stop the events of all the others, nor lose its own: it is in backoff as
    /// far as this process knows, so that what is for it waits in the queue, for a process that has the key.
    pub(super) async fn receivers(&self, accounts: &[AccountId]) -> Result<Receivers, StoreError> {
        let rows = self.active_rows(accounts).await?;
        let mut receivers = Vec::with_capacity(rows.len());
        for row in &rows {
            match self.receiver(row)? {
                (_, Ok(one), backoff) => receivers.push((one, backoff)),
                (id, Err(error), _) => {
                    not_readable(id, &error);
                    let row = Model::from_query_result(row, "").map_err(backend)?;
                    let waits =
                        ReceiverBackoff { consecutive_failures: u32::MAX, ..ReceiverBackoff::default() };
                    receivers.extend(subscription::read_sealed(row).ok().map(|one| (one, Some(waits))));
                }
            }
        }
        Ok(receivers)
    }

    async fn active_rows(&self, accounts: &[AccountId]) -> Result<Vec<QueryResult>, StoreError> {
        if accounts.is_empty() {
            return Ok(Vec::new());
        }
        receivers_of(Sql::new(&self.conn, ""), accounts).all(&self.conn).await
    }

    /// The subscription of a row, if it can be read, and how its receiver answers.
    fn receiver(&self, row: &QueryResult) -> Result<Receiver, StoreError> {
        let backoff = health::backoff(row)?;
        let row = Model::from_query_result(row, "").map_err(backend)?;
        Ok((SubscriptionId::from_uuid(row.id), subscription::read(row, &self.sealer), backoff))
    }

    fn opened(&self, rows: Vec<Model>) -> Result<Vec<Subscription>, StoreError> {
        rows.into_iter().map(|row| subscription::read(row, &self.sealer)).collect()
    }
}

fn not_readable(subscription: SubscriptionId, error: &StoreError) {
    tracing::error!(%subscription, ?error, "a subscription cannot be read");
}

/// The active subscriptions of these accounts, with what [`health::backoff`] reads.
pub(crate) fn receivers_of(sql: Sql, accounts: &[AccountId]) -> Sql {
    health::with_backoff(sql)
        .text("svc_subscriptions.active_since IS NOT NULL AND svc_subscriptions.account_id")
        .one_or_among(accounts.iter().map(|account| account.uuid()))
}
