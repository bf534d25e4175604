//! The queue: claiming and giving back.
//!
//! Claiming needs an open transaction. It locks lanes that have something due,
//! leases rows of each, writes down when each lane is to be looked at again, and
//! reads what belongs to the rows. A unit that adds to a lane does so under its lock
//! too, so a lane's `due_at` is never later than its first row can be claimed.
//! Every unit locks lanes before rows of the queue, and a claim passes rows that another unit holds: so units never wait
//! for each other in a circle.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectionTrait, EntityTrait};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, EventId, SubscriptionId, TypedId};
use svc_core::tenant::Tenant;
use svc_webhooks::health::ReceiverBackoff;
use svc_webhooks::ports::{ClaimRequest, Claimed, Lease, Leased, Notification, Waiting};
use svc_webhooks::subscription::Subscription;
use uuid::Uuid;

use super::delivery::{self, Entity};
use super::lanes::{self, Lane};
use crate::error::backend;
use crate::outbox::committed::CommittedEvents;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::value::{broken, parsed};
use crate::{fence, outbox};

impl<C: ConnectionTrait> SeaStore<C> {
    /// Events that are not fanned out yet, and who may want them.
    pub(crate) async fn waiting(
        &self,
        committed: &CommittedEvents,
        limit: u32,
    ) -> Result<Waiting, StoreError> {
        let (events, more) = if let Some(committed) = committed.first(limit) {
            committed
        } else {
            let look = committed.look();
            let (events, all) = self.waiting_events(limit).await?;
            look.found(&events, all);
            (events, !all)
        };
        let accounts: BTreeSet<AccountId> = events.iter().filter_map(|(_, event)| event.account()).collect();
        let accounts: Vec<AccountId> = accounts.into_iter().collect();
        let read_ahead = if let [(alone, _)] = events.as_slice() {
            committed.ahead().take(alone.event).await
        } else {
            None
        };
        let receivers = match read_ahead {
            Some(receivers) => receivers,
            None => self.receivers(&accounts).await?,
        };
        let backoff = |(one, backoff): &(Subscription, Option<ReceiverBackoff>)| Some((one.id, (*backoff)?));
        let backoffs = receivers.iter().filter_map(backoff).collect();
        let subscriptions = receivers.into_iter().map(|(one, _)| one).collect();
        Ok(Waiting { events, more, subscriptions, backoffs })
    }

    /// Leases due deliveries until `now + lease_for`: from each lane those that are due longest.
    pub(crate) async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        let lanes = lanes::due(&self.conn, request, now).await?;
        if lanes.each.is_empty() {
            return Ok(Claimed { leased: Vec::new(), remaining: lanes.remaining });
        }
        let lease = Lease(fence::generate()?);
        let ids = lanes::lease(&self.conn, &lanes.each, lease, now, now.plus(lease_for)).await?;
        let remaining = lanes.remaining.max(lanes::reschedule(&self.conn, &lanes.each, now).await?);
        let leased = if ids.is_empty() { Vec::new() } else { self.leased(ids, lease, now).await? };
        Ok(Claimed { leased, remaining })
    }

    /// Gives leases back unused, so that others can claim at once.
    pub(crate) async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        let mut due = BTreeMap::new();
        for leased in leases {
            if let Some(at) = leased.delivery.next_attempt_at() {
                lanes::earliest(&mut due, Lane::of(&leased.delivery), at);
            }
        }
        lanes::mark_due(&self.conn, &due).await?;
        // In one order, so that units never wait for each other in a circle.
        let leases: BTreeMap<Uuid, Lease> =
            leases.iter().map(|leased| (leased.delivery.id.uuid(), leased.lease)).collect();
        let leases: Vec<(Uuid, Lease)> = leases.into_iter().collect();
        for some in leases.chunks(ROWS) {
            Sql::new(&self.conn, "WITH given (id, token) AS (")
                .rows(some.iter().map(|(id, lease)| [(*id).into(), lease.0.into()]))
                .text(
                    ") UPDATE svc_delivery_queue SET lease_until = NULL, lease_token = NULL FROM given \
                     WHERE svc_delivery_queue.id = given.id AND svc_delivery_queue.lease_token = given.token",
                )
                .execute(&self.conn)
                .await?;
        }
        Ok(())
    }

    /// When to look for the next delivery that `request` asks for; `None` when none waits.
    pub(crate) async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        micros(
            lanes::requested(Sql::new(&self.conn, "SELECT due_at FROM svc_delivery_lanes"), request)
                .one(&self.conn)
                .await?,
        )
    }

    /// The deliveries that were just leased, with what to send and where to.
    async fn leased(
        &self,
        ids: Vec<Uuid>,
        lease: Lease,
        since: Timestamp,
    ) -> Result<Vec<Leased>, StoreError> {
        let found = Sql::new(&self.conn, "SELECT * FROM svc_deliveries WHERE id").among(ids).statement();
        let rows = Entity::find().from_raw_sql(found).all(&self.conn).await.map_err(backend)?;
        let read = |row| {
            delivery::read(row).inspect_err(|error| tracing::error!(?error, "a delivery cannot be read")).ok()
        };
        let mut deliveries: Vec<_> = rows.into_iter().filter_map(read).collect();
        deliveries.sort_unstable_by_key(|delivery| (delivery.next_attempt_at(), delivery.id));

        let events: Vec<Uuid> = deliveries.iter().map(|delivery| delivery.event.uuid()).collect();
        let events = outbox::find(&self.conn, &events).await?;
        let needed: BTreeSet<SubscriptionId> =
            deliveries.iter().map(|delivery| delivery.subscription).collect();
        let subscriptions: HashMap<SubscriptionId, Result<(Arc<Subscription>, ReceiverBackoff), StoreError>> =
            self.subscriptions(&needed)
                .await?
                .into_iter()
                .map(|(id, found)| (id, found.map(|(one, backoff)| (Arc::new(one), backoff))))
                .collect();

        // One row that cannot be sent, for want of a key perhaps, must not stop the queue: it stays
        // leased, and comes again when its lease has ended.
        let mut leased = Vec::with_capacity(deliveries.len());
        for delivery in deliveries {
            let notification = match events.get(&delivery.event.uuid()).map(notification) {
                Some(Ok(notification)) => notification,
                unreadable @ (Some(Err(_)) | None) => {
                    let (id, error) = (delivery.id, unreadable.and_then(Result::err));
                    tracing::error!(delivery = %id, ?error, "the event of a delivery cannot be read");
                    continue;
                }
            };
            let (subscription, backoff) = match subscriptions.get(&delivery.subscription) {
                Some(Ok((subscription, backoff))) => (Some(Arc::clone(subscription)), *backoff),
                None => (None, ReceiverBackoff::default()),
                Some(Err(error)) => {
                    let (id, subscription) = (delivery.id, delivery.subscription);
                    tracing::error!(delivery = %id, %subscription, ?error, "a subscription cannot be read");
                    continue;
                }
            };
            leased.push(Leased { lease, since, delivery, notification, subscription, backoff });
        }
        Ok(leased)
    }
}

fn notification(event: &outbox::Model) -> Result<Notification, StoreError> {
    let tenant = event.account_id.map(|account| Tenant::of_body(AccountId::from_uuid(account), &event.body));
    Ok(Notification {
        id: EventId::from_uuid(event.id),
        kind: parsed("events.type", &event.r#type)?,
        tenant: tenant.transpose().map_err(|_| broken("events.body"))?,
        body: event.body.clone().into(),
    })
}

fn micros(row: Option<sea_orm::QueryResult>) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<Option<i64>> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
    Ok(at.flatten().map(Timestamp::from_unix_micros))
}
