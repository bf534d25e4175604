//! What is known of presented tokens, for up to a minute.
//!
//! What each part does, and why a lost right cannot live on here:
//!
//! 1. An entry carries the instant at which its **read began**. It counts for
//!    less than [`KNOWN_FOR`] from then on, by the injected clock. When the
//!    store cannot be read afterwards, the failure is the answer: an entry
//!    never outlives its time because the database is down.
//! 2. State and expiry of a token are looked at on each request, from the entry.
//! 3. Keys carry a generation. [`Cache::forget`] moves to the next one, so a
//!    read that began before ends up under a key that no request asks for again.
//! 4. Requests that miss the same key wait for one read.
//! 5. Unknown tokens are remembered apart, for [`UNKNOWN_FOR`], so that a
//!    client that invents tokens cannot push real ones out.
//!
//! Keys are digests: the cache holds no value of a token.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;

use crate::principal::Principal;
use crate::token::Token;

/// How long an entry counts, from the beginning of its read (specification, part 8).
const KNOWN_FOR: Duration = Duration::from_mins(1);
/// How long a token stays unknown without asking again.
const UNKNOWN_FOR: Duration = Duration::from_secs(5);
/// Entries of each kind; the least used ones go first.
const CAPACITY: u64 = 10_000;
/// Reads that one request makes before it gives up on a store that takes a minute for each.
const ATTEMPTS: usize = 2;
/// By the machine's own clock, only to drop what is out of use anyway.
const SWEPT_AFTER: Duration = Duration::from_mins(5);

/// A token with what it reached when it was read.
pub(super) struct Known {
    /// When its read began.
    pub(super) read_at: Timestamp,
    pub(super) token: Token,
    /// When what was presented ends, if that is before the token.
    pub(super) until: Option<Timestamp>,
    /// `None` when the creator had lost the primary account.
    pub(super) principal: Option<Arc<Principal>>,
}

/// The generation, and the digest of the presented value.
type Key = (u64, [u8; 32]);

pub(super) struct Cache {
    known: moka::future::Cache<Key, Arc<Known>>,
    unknown: moka::future::Cache<Key, Timestamp>,
    generation: AtomicU64,
}

/// Why nothing was read.
pub(super) enum Unread {
    /// The address of the request that was to read must wait.
    Throttled(Duration),
    Store(StoreError),
}

/// Why a read ended without an entry; every request that waited for it gets the same.
enum Ended {
    Unknown,
    Throttled(Duration),
    Store(Arc<StoreError>),
}

impl Cache {
    /// Entries of known tokens; some of them may be out of use.
    pub(super) fn size(&self) -> u64 {
        self.known.entry_count()
    }

    pub(super) fn new() -> Self {
        Self {
            known: moka::future::Cache::builder().max_capacity(CAPACITY).time_to_live(SWEPT_AFTER).build(),
            unknown: moka::future::Cache::builder().max_capacity(CAPACITY).time_to_live(SWEPT_AFTER).build(),
            generation: AtomicU64::new(0),
        }
    }

    /// What is known of the token behind `digest`, as far as that needs no read.
    pub(super) async fn warm(&self, digest: [u8; 32], now: Timestamp) -> Option<Arc<Known>> {
        let key = (self.generation.load(Ordering::SeqCst), digest);
        self.known.get(&key).await.filter(|known| is_fresh(known.read_at, now, KNOWN_FOR))
    }

    /// What is known of the token behind `digest`, read by `read` unless that
    /// was done lately; `None` when the token is unknown.
    pub(super) async fn find<Reading>(
        &self,
        digest: [u8; 32],
        clock: &dyn Clock,
        read: impl Fn(Timestamp) -> Reading + Sync,
    ) -> Result<Option<Arc<Known>>, Unread>
    where
        Reading: Future<Output = Result<Option<Known>, Unread>> + Send,
    {
        for _ in 0..ATTEMPTS {
            let key = (self.generation.load(Ordering::SeqCst), digest);
            if self.unknown.get(&key).await.is_some_and(|read_at| is_fresh(read_at, clock.now(), UNKNOWN_FOR))
            {
                return Ok(None);
            }
            match self.known.get(&key).await {
                Some(known) if is_fresh(known.read_at, clock.now(), KNOWN_FOR) => return Ok(Some(known)),
                Some(_) => self.known.invalidate(&key).await,
                None => {}
            }
            let reads = AtomicBool::new(false);
            let reading = self.known.try_get_with(key, async {
                reads.store(true, Ordering::Relaxed);
                let read_at = clock.now();
                match read(read_at).await {
                    Ok(Some(known)) => Ok(Arc::new(known)),
                    Ok(None) => {
                        self.unknown.insert(key, read_at).await;
                        Err(Ended::Unknown)
                    }
                    Err(Unread::Throttled(wait)) => Err(Ended::Throttled(wait)),
                    Err(Unread::Store(error)) => Err(Ended::Store(Arc::new(error))),
                }
            });
            match reading.await {
                Ok(known) if is_fresh(known.read_at, clock.now(), KNOWN_FOR) => return Ok(Some(known)),
                // The read took so long that its answer is out of date.
                Ok(_) => {}
                Err(ended) => match &*ended {
                    Ended::Unknown => return Ok(None),
                    Ended::Throttled(wait) if reads.load(Ordering::Relaxed) => {
                        return Err(Unread::Throttled(*wait));
                    }
                    // Another address must wait, not this one.
                    Ended::Throttled(_) => {}
                    Ended::Store(error) => return Err(Unread::Store(shared(error))),
                },
            }
        }
        Err(Unread::Store(StoreError::Busy))
    }

    /// Nothing read before this call is used by a request that begins after it.
    pub(super) fn forget(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.known.invalidate_all();
        self.unknown.invalidate_all();
    }
}

/// A clock that was set back before the read makes an entry stale, not immortal.
fn is_fresh(read_at: Timestamp, now: Timestamp, span: Duration) -> bool {
    read_at <= now && now.since(read_at) < span
}

/// An error of one read, told to each request that waited for it.
fn shared(error: &Arc<StoreError>) -> StoreError {
    match &**error {
        StoreError::Conflict => StoreError::Conflict,
        StoreError::Taken { field } => StoreError::Taken { field },
        StoreError::Busy => StoreError::Busy,
        StoreError::Undone => StoreError::Undone,
        StoreError::OutOfRange => StoreError::OutOfRange,
        StoreError::Backend(_) => StoreError::backend(Arc::clone(error)),
    }
}
