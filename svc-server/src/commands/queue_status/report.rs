//! What the table shows, as JSON has it.

use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::clock::{Clock as _, Timestamp};
use svc_core::id::{AccountId, SubscriptionId};
use svc_core::system::SystemClock;
use svc_webhooks::ports::{Count, DueLane, Latest, Overview};

use super::jobs::Jobs;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// The queue at one instant.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    pub(super) at: Timestamp,
    pub(super) outbox: Outbox,
    pub(super) deliveries: Deliveries,
    pub(super) latest: Made,
    pub(super) jobs: Jobs,
    /// Lanes with something due, longest due first.
    pub(super) subscriptions: Vec<Lane>,
}

/// Events that are not fanned out yet.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outbox {
    pub(super) events: Counted,
    pub(super) oldest: Option<Age>,
}

/// Deliveries that have not ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Deliveries {
    pub(super) waiting: Counted,
    pub(super) due: Counted,
    pub(super) leased: Counted,
    pub(super) oldest_due: Option<Age>,
}

/// The deliveries that were made last.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Made {
    pub(super) since: Option<Timestamp>,
    pub(super) delivered: u64,
    pub(super) pending: u64,
    pub(super) retrying: u64,
    pub(super) failed: u64,
}

/// Deliveries of one subscription with something due: first attempts, or later ones.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Lane {
    pub(super) subscription_id: SubscriptionId,
    /// What its company calls it; absent when it cannot be read.
    pub(super) name: Option<String>,
    pub(super) account_id: Option<AccountId>,
    pub(super) company: Option<String>,
    /// Of the receiver's URL the host alone: the rest may hold secrets.
    pub(super) host: Option<String>,
    /// `first` or `later`.
    pub(super) attempts: &'static str,
    pub(super) oldest_due: Age,
    pub(super) due: Counted,
    pub(super) leased: Counted,
    pub(super) waiting: Counted,
}

/// A number, and whether it is exact.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Counted {
    pub(super) count: u64,
    pub(super) exact: bool,
    #[serde(skip)]
    pub(super) of: Count,
}

/// Since when, and how long that is.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Age {
    pub(super) since: Timestamp,
    pub(super) seconds: u64,
}

impl Report {
    /// Looks at the database.
    pub(super) async fn read(operator: &Operator, top: u32) -> Result<Self, Failure> {
        let at = SystemClock.now();
        let Overview { depth, lanes, latest } =
            operator.store.database.queue_overview().overview(at, top).await?;
        let jobs = Jobs::of(operator.store.database.business().jobs().overview(at, top).await?);
        let age = |since: Timestamp| Age::of(since, at);
        let mut names = Names::default();
        let mut subscriptions = Vec::with_capacity(lanes.len());
        for lane in lanes {
            subscriptions.push(names.tell(operator, lane, at).await?);
        }
        Ok(Self {
            at,
            outbox: Outbox { events: depth.events.into(), oldest: depth.oldest_event.map(age) },
            deliveries: Deliveries {
                waiting: depth.queued.into(),
                due: depth.due.into(),
                leased: depth.leased.into(),
                oldest_due: depth.oldest_due.map(age),
            },
            latest: latest.into(),
            jobs,
            subscriptions,
        })
    }
}

/// Companies by their ids: several lanes may belong to one.
#[derive(Default)]
struct Names(BTreeMap<AccountId, Option<String>>);

impl Names {
    async fn tell(&mut self, operator: &Operator, lane: DueLane, at: Timestamp) -> Result<Lane, Failure> {
        let webhooks = operator.store.database.webhooks();
        let found = webhooks.subscriptions().find(operator.call().scope, lane.subscription).await;
        // One whose secret cannot be opened has a place in the table all the same.
        let found = found.unwrap_or_else(|error| {
            tracing::debug!(subscription = %lane.subscription, ?error, "a subscription cannot be read");
            None
        });
        let company = match &found {
            Some(subscription) => self.company(operator, subscription.account).await?,
            None => None,
        };
        Ok(Lane {
            subscription_id: lane.subscription,
            account_id: found.as_ref().map(|one| one.account),
            host: found.as_ref().and_then(|one| one.endpoint.url().host_str()).map(str::to_owned),
            name: found.map(|one| one.name),
            company,
            attempts: if lane.retry { "later" } else { "first" },
            oldest_due: Age::of(lane.oldest_due, at),
            due: lane.due.into(),
            leased: lane.leased.into(),
            waiting: lane.queued.into(),
        })
    }

    async fn company(&mut self, operator: &Operator, id: AccountId) -> Result<Option<String>, Failure> {
        if let Some(known) = self.0.get(&id) {
            return Ok(known.clone());
        }
        let business = operator.store.database.business();
        let found = business.accounts().find(operator.call().scope, id).await?;
        let name = found.map(|account| account.legal_name);
        self.0.insert(id, name.clone());
        Ok(name)
    }
}

impl Age {
    pub(super) fn of(since: Timestamp, at: Timestamp) -> Self {
        Self { since, seconds: at.since(since).as_secs() }
    }
}

impl From<Count> for Counted {
    fn from(of: Count) -> Self {
        Self { count: of.about(), exact: of.is_exact(), of }
    }
}

impl From<Latest> for Made {
    fn from(latest: Latest) -> Self {
        let Latest { since, pending, retrying, delivered, failed } = latest;
        Self { since, delivered, pending, retrying, failed }
    }
}

impl Made {
    /// How many there are.
    pub(super) fn all(&self) -> u64 {
        self.delivered + self.pending + self.retrying + self.failed
    }
}
