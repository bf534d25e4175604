//! The failed authentications that the requests of this process share.
//!
//! An unknown address is a fault of the set-up: a proxy that does not tell whom
//! it speaks for. All callers behind it share one allowance, so a guesser among
//! them could stop the others; it is ten times that of an address, and the log
//! says once a minute what to do about it.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::limit::{Charge, FailureCounts};

pub(super) struct Failures {
    counts: Mutex<FailureCounts>,
    /// Attempts from unknown addresses so far.
    unknown: AtomicU64,
    /// The minute of the last warning.
    warned: AtomicI64,
}

impl Failures {
    pub(super) fn new(per_minute: NonZeroU32) -> Self {
        Self {
            counts: Mutex::new(FailureCounts::new(per_minute)),
            unknown: AtomicU64::new(0),
            warned: AtomicI64::new(i64::MIN),
        }
    }

    /// Whether an attempt may begin, or how long its address has to wait.
    pub(super) fn begin(&self, source: Option<IpAddr>, now: Timestamp) -> Result<(), Duration> {
        if source.is_none() {
            self.unknown.fetch_add(1, Ordering::Relaxed);
            self.warn(now);
        }
        self.counts().check(source, now)
    }

    /// Counts an attempt, or tells how long its address has to wait.
    pub(super) fn charge(&self, source: Option<IpAddr>, now: Timestamp) -> Result<Charge, Duration> {
        self.counts().charge(source, now)
    }

    /// Takes back an attempt that turned out to be good.
    pub(super) fn give_back(&self, charge: Charge) {
        self.counts().give_back(charge);
    }

    /// Attempts from unknown addresses so far.
    pub(super) fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }

    fn warn(&self, now: Timestamp) {
        let minute = now.unix_seconds().div_euclid(60);
        if self.warned.swap(minute, Ordering::Relaxed) != minute {
            tracing::warn!(
                "the address of a client is unknown, so it shares its failed authentications with all such \
                 clients: list every proxy in `trusted_proxies`, and let the first of them name the client \
                 in `client_ip_header`"
            );
        }
    }

    /// A panic cannot leave a count half changed, so a poisoned lock is as good as a sound one.
    fn counts(&self) -> MutexGuard<'_, FailureCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
