//! Units of work: what commits together.

use async_trait::async_trait;

use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::idempotency::ReplyStore;
use crate::outbox::Outbox;
use crate::pii::Sight;
use crate::random::RandomSource;
use crate::tenant::Scope;

/// Changes that commit together or not at all; dropping a unit rolls it back.
///
/// # Implementing this port
/// Each domain crate extends this trait with its stores. The transaction opens
/// when the unit is begun and ends with [`Unit::commit`] or with the drop. No
/// unit may stay open across network I/O.
#[async_trait]
pub trait Unit: Send + Sync {
    /// Events that become visible with the commit.
    fn outbox(&self) -> &dyn Outbox;

    /// Replies to idempotent requests that are kept with the commit.
    fn replies(&self) -> &dyn ReplyStore;

    /// Makes every change of this unit durable.
    ///
    /// # Errors
    /// When nothing of it was made durable.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// What a use case needs to know of the call that it serves.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The companies that the caller reaches.
    pub scope: &'a Scope,
    /// How the caller sees personal data: decides what may be filtered by and written back.
    pub sight: Sight,
    /// The instant of the call; everything it changes carries this one.
    pub now: Timestamp,
    /// Where new ids and secrets come from.
    pub random: &'a dyn RandomSource,
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("scope", self.scope)
            .field("sight", &self.sight)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}
