//! One attempt to authenticate that the cache alone cannot answer.
//!
//! A look-up is charged to the address before it begins and given back when
//! it found a good token; a refusal that needed no look-up is charged when it
//! is known. An attempt that is given up by its client stays charged.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::authenticate::Denied;
use crate::authenticate::failures::Failures;
use crate::limit::Charge;
use crate::principal::Principal;

pub(super) struct Attempt<'a> {
    failures: &'a Failures,
    source: Option<IpAddr>,
    charge: OnceLock<Charge>,
}

impl<'a> Attempt<'a> {
    /// Begins one, unless its address failed too often.
    pub(super) fn begin(
        failures: &'a Failures,
        source: Option<IpAddr>,
        now: Timestamp,
    ) -> Result<Self, Denied> {
        failures.begin(source, now).map_err(|retry_after| Denied::TooManyFailures { retry_after })?;
        Ok(Self { failures, source, charge: OnceLock::new() })
    }

    /// Counts the look-up that is about to begin, once; or tells how long the address must wait.
    pub(super) fn charge(&self, now: Timestamp) -> Result<(), Duration> {
        if self.charge.get().is_none() {
            let charge = self.failures.charge(self.source, now)?;
            // Only the request that this attempt belongs to gets here, so nothing was set meanwhile.
            drop(self.charge.set(charge));
        }
        Ok(())
    }

    /// Settles what was charged with what came out.
    pub(super) fn end(mut self, outcome: &Result<Arc<Principal>, Denied>, now: Timestamp) {
        let failed = outcome.as_ref().is_err_and(Denied::is_failed_authentication);
        match self.charge.take() {
            Some(charge) if !failed => self.failures.give_back(charge),
            // The failure is the answer, whether or not it is the one that uses the minute up.
            None if failed => drop(self.failures.charge(self.source, now)),
            Some(_) | None => {}
        }
    }
}
