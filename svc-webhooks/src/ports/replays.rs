//! Storage of replays: a port that a storage of webhooks may leave out.

use std::sync::Arc;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{ReplayId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;

use super::{WebhookStorage, WebhookUnit};
use crate::replay::{Candidate, Look, Replay, Selection};
use crate::subscription::Subscription;

/// Where replays are kept, beside the subscriptions and deliveries of the same storage.
///
/// # Implementing this port
/// It is optional: over a storage without it nothing is sent again but single
/// deliveries. The contract suite is `svc_testkit::webhook_replay_contract!`.
#[async_trait]
pub trait ReplayStorage: WebhookStorage {
    /// Opens a unit of work that changes replays too.
    async fn begin_replay(&self) -> Result<Box<dyn ReplayUnit>, StoreError>;

    /// Reads replays.
    fn replays(&self) -> &dyn ReplayReader;
}

/// A unit of work on webhooks and their replays.
pub trait ReplayUnit: WebhookUnit {
    /// Changes replays within this unit.
    fn replays(&self) -> &dyn ReplayStore;
}

/// Reads replays; those of a removed subscription are absent.
#[async_trait]
pub trait ReplayReader: Send + Sync {
    /// The replay with this id, within the scope.
    async fn find(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError>;

    /// One page of a subscription's replays, newest first.
    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        page: PageRequest,
    ) -> Result<Page<Replay>, StoreError>;

    /// How many events or deliveries a selection holds now.
    async fn count(&self, selection: &Selection) -> Result<u64, StoreError>;

    /// When the next step of any replay is due; `None` when none is open.
    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError>;
}

/// A replay whose step is due, and what the step is decided by.
#[derive(Clone, Debug)]
pub struct DueReplay {
    /// The replay.
    pub replay: Replay,
    /// Its subscription as it is now.
    pub subscription: Arc<Subscription>,
    /// First attempts of the subscription that wait or are under way; a number that is large enough need
    /// not be counted out.
    pub waiting: u32,
}

/// Changes replays within a unit of work.
///
/// # Implementing this port
/// One unit works on a replay at a time: [`take_due`](Self::take_due) and
/// [`lock`](Self::lock) hold it to the end of their unit, and `replace` is a
/// conflict at any other version than the one that was read, now or at the
/// commit. The deliveries that a unit adds and the cursor of the
/// replay commit together. [`crate::replay`] tells the protocol; the
/// contract suite is `svc_testkit::webhook_replay_contract!`.
#[async_trait]
pub trait ReplayStore: ReplayReader {
    /// Adds a replay unless its subscription has `most` open ones already; answers whether it was added.
    ///
    /// # Implementing this method
    /// Counting and adding are one step per subscription.
    ///
    /// # Errors
    /// [`StoreError::Conflict`], now or at the commit, when the subscription was removed meanwhile.
    async fn insert(&self, replay: &Replay, most: u32) -> Result<bool, StoreError>;

    /// The replay with this id, within the scope, as it is once no other unit changes it.
    async fn lock(&self, scope: &Scope, id: ReplayId) -> Result<Option<Replay>, StoreError>;

    /// The replay whose step is due longest and that no other unit works on.
    ///
    /// # Implementing this method
    /// Never wait: pass over what another unit holds. A replay or a subscription that cannot be
    /// read, as a newer program wrote it perhaps, is put off for a while, so that it stops no other one.
    async fn take_due(&self, now: Timestamp) -> Result<Option<DueReplay>, StoreError>;

    /// The next `look.limit` events or deliveries in the selection's range of time, whether they are
    /// selected or not: oldest first, in the order of [`Cursor`](crate::replay::Cursor).
    ///
    /// # Implementing this method
    /// The range is `selection.from` to `look.until`, after `look.after`. For events it is one of ids. What
    /// a delivery is picked by is told at [`Source`](crate::replay::Source); it must be what
    /// [`ReplayReader::count`] counts by.
    async fn look(&self, selection: &Selection, look: &Look) -> Result<Vec<Candidate>, StoreError>;

    /// Puts `after` in the place of the replay with its id at the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace(&self, before: Version, after: &Replay) -> Result<(), StoreError>;

    /// Forgets up to `limit` replays that ended before `before`; answers how many.
    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
