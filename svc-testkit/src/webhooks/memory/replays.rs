//! Replays, and what they look at.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{EventId, ReplayId, SubscriptionId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_webhooks::delivery::{Delivery, State, Status};
use svc_webhooks::ports::{DueReplay, ReplayReader, ReplayStorage, ReplayStore, ReplayUnit};
use svc_webhooks::replay::{Candidate, Cursor, Look, Pick, Replay, Selection, Source};

use super::MemoryWebhooks;
use super::staged::{Staged, cut, pause};
use super::tables::{Op, Tables};
use super::unit::{MemoryUnit, OpenUnit};

#[async_trait]
impl ReplayStorage for MemoryWebhooks {
    async fn begin_replay(&self) -> Result<Box<dyn ReplayUnit>, StoreError> {
        Ok(Box::new(MemoryUnit::begin(self.shared.clone(), &self.idempotency, &self.audit)))
    }

    fn replays(&self) -> &dyn ReplayReader {
        &self.committed
    }
}

#[async_trait]
impl ReplayReader for Staged {
    async fn find(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        pause().await;
        let found = self.view()?.replays.get(&id).map(|known| Replay::clone(known));
        Ok(found.filter(|known| scope.contains(known.selection.account)))
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        page: PageRequest,
    ) -> Result<Page<Replay>, StoreError> {
        pause().await;
        let mut found: Vec<_> = self.view()?.replays.into_values().collect();
        found.retain(|known| {
            known.selection.subscription == subscription && scope.contains(known.selection.account)
        });
        found.sort_by_key(|known| std::cmp::Reverse((known.selection.asked_at, known.id)));
        Ok(cut(found, page).map(Arc::unwrap_or_clone))
    }

    async fn count(&self, selection: &Selection) -> Result<u64, StoreError> {
        pause().await;
        let all = Look { after: None, until: selection.until, limit: u32::MAX, room: u32::MAX };
        let picked = self.view()?.look(selection, &all).into_iter().filter(|found| found.pick.is_some());
        Ok(u64::try_from(picked.count()).unwrap_or(u64::MAX))
    }

    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        pause().await;
        Ok(self.view()?.replays.values().filter_map(|known| known.due_at()).min())
    }
}

#[async_trait]
impl ReplayReader for OpenUnit {
    async fn find(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        ReplayReader::find(&self.staged, scope, id).await
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        page: PageRequest,
    ) -> Result<Page<Replay>, StoreError> {
        ReplayReader::page(&self.staged, scope, subscription, page).await
    }

    async fn count(&self, selection: &Selection) -> Result<u64, StoreError> {
        self.staged.count(selection).await
    }

    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        ReplayReader::next_due(&self.staged).await
    }
}

#[async_trait]
impl ReplayStore for OpenUnit {
    async fn insert(&self, replay: &Replay, most: u32) -> Result<bool, StoreError> {
        pause().await;
        let subscription = replay.selection.subscription;
        if !self.staged.view()?.has_room_for_replay(subscription, most) {
            return Ok(false);
        }
        self.staged.stage(Op::AddReplay { replay: replay.clone(), most })?;
        Ok(true)
    }

    /// No unit waits here: of two that change a replay at once, the later commit is a conflict.
    async fn lock(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        ReplayReader::find(&self.staged, scope, id).await
    }

    async fn take_due(&self, now: Timestamp) -> Result<Option<DueReplay>, StoreError> {
        pause().await;
        let view = self.staged.view()?;
        let due = view.replays.values().filter(|known| known.due_at().is_some_and(|due| due <= now));
        let Some(replay) = due.min_by_key(|known| (known.due_at(), known.id)) else { return Ok(None) };
        let subscription = view.subscriptions.get(&replay.selection.subscription).map(Arc::clone);
        let subscription = subscription.expect("the replays of a removed subscription go with it");
        let waiting = view.queue.keys().filter_map(|id| view.deliveries.get(id)).filter(|logged| {
            logged.delivery.subscription == subscription.id && logged.delivery.attempts == 0
        });
        let waiting = u32::try_from(waiting.count()).unwrap_or(u32::MAX);
        Ok(Some(DueReplay { replay: Replay::clone(replay), subscription, waiting }))
    }

    async fn look(&self, selection: &Selection, look: &Look) -> Result<Vec<Candidate>, StoreError> {
        pause().await;
        Ok(self.staged.view()?.look(selection, look))
    }

    async fn replace(&self, before: Version, after: &Replay) -> Result<(), StoreError> {
        pause().await;
        self.staged.stage(Op::ReplaceReplay { before, after: after.clone() })
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        pause().await;
        let view = self.staged.view()?;
        let ended = |known: &&Arc<Replay>| known.ended_at().is_some_and(|at| at < before);
        let mut old: Vec<_> =
            view.replays.values().filter(ended).map(|known| (known.ended_at(), known.id)).collect();
        old.sort_unstable();
        old.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let gone = u64::try_from(old.len()).unwrap_or(u64::MAX);
        self.staged.stage(Op::ForgetReplays(old.into_iter().map(|(_, id)| id).collect()))?;
        Ok(gone)
    }
}

impl Tables {
    /// Whether the subscription may have one more open replay.
    pub(super) fn has_room_for_replay(&self, subscription: SubscriptionId, most: u32) -> bool {
        let open = self
            .replays
            .values()
            .filter(|known| known.selection.subscription == subscription && known.due_at().is_some());
        u32::try_from(open.count()).is_ok_and(|count| count < most)
    }

    pub(super) fn add_replay(&mut self, replay: &Replay, most: u32) -> Result<(), StoreError> {
        let subscription = replay.selection.subscription;
        if !self.subscriptions.contains_key(&subscription) || !self.has_room_for_replay(subscription, most) {
            return Err(StoreError::Conflict);
        }
        self.replays.insert(replay.id, Arc::new(replay.clone()));
        Ok(())
    }

    pub(super) fn replace_replay(&mut self, before: Version, after: &Replay) -> Result<(), StoreError> {
        match self.replays.get_mut(&after.id).filter(|known| known.version == before) {
            Some(known) => {
                *known = Arc::new(after.clone());
                Ok(())
            }
            None => Err(StoreError::Conflict),
        }
    }

    pub(super) fn forget_replays(&mut self, ids: &BTreeSet<ReplayId>) {
        self.replays.retain(|id, _| !ids.contains(id));
    }

    fn look(&self, selection: &Selection, look: &Look) -> Vec<Candidate> {
        let mut found = match selection.source {
            Source::Events => self.past_events(selection, look.until),
            Source::Deliveries { .. } => self.past_deliveries(selection, look.until),
        };
        found.retain(|candidate| look.after.is_none_or(|after| candidate.cursor > after));
        found.sort_unstable_by_key(|candidate| candidate.cursor);
        found.truncate(usize::try_from(look.limit).unwrap_or(usize::MAX));
        found
    }

    fn past_events(&self, selection: &Selection, until: Timestamp) -> Vec<Candidate> {
        let from = selection.from.map(EventId::least);
        let events = self.events.range(..EventId::least(until)).map(|(_, event)| event);
        events
            .filter(|event| event.account() == Some(selection.account))
            .filter(|event| from.is_none_or(|from| event.id >= from))
            .map(|event| {
                let pick = Pick { event: event.id, kind: event.kind.clone(), max_attempts: None };
                let selected = selection.types.contains(&event.kind);
                Candidate { cursor: Cursor::Event(event.id), pick: selected.then_some(pick) }
            })
            .collect()
    }

    fn past_deliveries(&self, selection: &Selection, until: Timestamp) -> Vec<Candidate> {
        let of_subscription: Vec<&Delivery> = self
            .deliveries
            .values()
            .map(|logged| &logged.delivery)
            .filter(|delivery| delivery.subscription == selection.subscription)
            .collect();
        of_subscription
            .iter()
            .filter(|delivery| delivery.created_at < until)
            .filter(|delivery| selection.from.is_none_or(|from| delivery.created_at >= from))
            .map(|delivery| {
                let max_attempts = Some(delivery.max_attempts);
                let pick = Pick { event: delivery.event, kind: delivery.event_type.clone(), max_attempts };
                let selected = ended_as_asked(selection, delivery)
                    && !of_subscription.iter().any(|later| stands_in(selection, delivery, later));
                Candidate { cursor: cursor(delivery), pick: selected.then_some(pick) }
            })
            .collect()
    }
}

fn cursor(delivery: &Delivery) -> Cursor {
    Cursor::Delivery(delivery.created_at, delivery.id)
}

/// Whether a delivery is one of those that the selection names.
fn ended_as_asked(selection: &Selection, delivery: &Delivery) -> bool {
    let Source::Deliveries { ended, event, .. } = selection.source else { return false };
    let ended_at = match delivery.state {
        State::Delivered { at } | State::Failed { at } => at,
        State::Pending { .. } | State::Retrying { .. } => return false,
    };
    delivery.status() == ended.status()
        && ended_at <= selection.asked_at
        && delivery.created_at < selection.until
        && selection.types.contains(&delivery.event_type)
        && event.is_none_or(|event| event == delivery.event)
}

/// Whether a later delivery of the same event makes it needless to send this one again.
fn stands_in(selection: &Selection, delivery: &Delivery, later: &Delivery) -> bool {
    let Source::Deliveries { even_if_arrived, .. } = selection.source else { return false };
    let stands_in = match later.status() {
        Status::Pending | Status::Retrying => true,
        Status::Delivered => !even_if_arrived,
        Status::Failed => false,
    };
    later.event == delivery.event
        && cursor(later) > cursor(delivery)
        && (stands_in || ended_as_asked(selection, later))
}
