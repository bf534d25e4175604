//! The queue at a glance.

use std::collections::BTreeMap;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{Count, DueLane, Latest, Overview, QueueDepth, QueueOverview};

use super::MemoryWebhooks;
use super::queue::{Lane, count};
use super::staged::pause;
use super::tables::{Queued, Tables};

#[async_trait]
impl QueueOverview for MemoryWebhooks {
    async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError> {
        pause().await;
        Ok(self.shared.state().tables.depth(now))
    }

    async fn overview(&self, now: Timestamp, lanes: u32) -> Result<Overview, StoreError> {
        pause().await;
        Ok(self.shared.state().tables.overview(now, lanes))
    }
}

impl Tables {
    pub(super) fn depth(&self, now: Timestamp) -> QueueDepth {
        let Front { queued, due, leased, oldest_due } = Front::of(self.queue.values(), now);
        let oldest = self.outbox.first().and_then(|position| self.events.get(&position.event));
        QueueDepth {
            events: counted(self.outbox.len()),
            oldest_event: oldest.map(|event| event.occurred_at),
            queued,
            due,
            leased,
            oldest_due,
        }
    }

    pub(super) fn overview(&self, now: Timestamp, lanes: u32) -> Overview {
        let mut rows: BTreeMap<Lane, Vec<&Queued>> = BTreeMap::new();
        for (id, row) in &self.queue {
            if let Some(lane) = self.lane(*id) {
                rows.entry(lane).or_default().push(row);
            }
        }
        let mut due: Vec<DueLane> = rows
            .into_iter()
            .filter_map(|(Lane { subscription, retry }, rows)| {
                let Front { queued, due, leased, oldest_due } = Front::of(rows, now);
                Some(DueLane { subscription, retry, oldest_due: oldest_due?, queued, due, leased })
            })
            .collect();
        due.sort_by_key(|lane| lane.oldest_due);
        due.truncate(usize::try_from(lanes).unwrap_or(usize::MAX));
        Overview { depth: self.depth(now), lanes: due, latest: self.latest() }
    }

    fn latest(&self) -> Latest {
        let mut made: Vec<_> =
            self.deliveries.values().map(|one| (one.delivery.created_at, one.delivery.status())).collect();
        made.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        made.truncate(usize::try_from(Latest::DELIVERIES).unwrap_or(usize::MAX));
        let with = |wanted: Status| count(made.iter().filter(|(_, status)| *status == wanted).count());
        Latest {
            since: made.last().map(|(at, _)| *at),
            pending: with(Status::Pending),
            retrying: with(Status::Retrying),
            delivered: with(Status::Delivered),
            failed: with(Status::Failed),
        }
    }
}

/// What some rows of the queue come to.
struct Front {
    queued: Count,
    due: Count,
    leased: Count,
    oldest_due: Option<Timestamp>,
}

impl Front {
    fn of<'a>(rows: impl IntoIterator<Item = &'a Queued>, now: Timestamp) -> Self {
        let rows: Vec<&Queued> = rows.into_iter().collect();
        let due = || rows.iter().filter(|row| row.claimable_at() <= now);
        let leased = rows.iter().filter(|row| row.lease.is_some_and(|(_, until)| until > now));
        Self {
            queued: counted(rows.len()),
            due: counted(due().count()),
            leased: counted(leased.count()),
            oldest_due: due().map(|row| row.due_at).min(),
        }
    }
}

fn counted(rows: usize) -> Count {
    Count::of(count(rows))
}
