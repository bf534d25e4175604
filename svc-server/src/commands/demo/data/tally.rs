//! What was written so far, shown while it grows.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use crate::output::Output;

/// From one word on the progress to the next.
const TELL: Duration = Duration::from_millis(200);

/// What the company has.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    /// Sales and supplier documents.
    pub(super) documents: u32,
    /// Customers and suppliers.
    pub(super) contacts: u32,
    pub(super) suppliers: u32,
    /// Issued ones.
    pub(super) invoices: u32,
    pub(super) invoices_paid: u32,
    pub(super) invoices_part_paid: u32,
    /// Issued ones.
    pub(super) quotes: u32,
    pub(super) drafts: u32,
    pub(super) supplier_documents: u32,
    pub(super) supplier_documents_approved: u32,
    pub(super) supplier_documents_paid: u32,
    pub(super) supplier_documents_part_paid: u32,
    pub(super) fixed_assets: u32,
    pub(super) cases: u32,
}

/// Counts what is written, and says so.
pub(super) struct Tally {
    output: Output,
    wanted: u32,
    begun: Instant,
    kept: Mutex<Kept>,
}

struct Kept {
    counts: Counts,
    told: Instant,
}

impl Tally {
    pub(super) fn of(wanted: u32, output: Output) -> Self {
        let begun = Instant::now();
        Self { output, wanted, begun, kept: Mutex::new(Kept { counts: Counts::default(), told: begun }) }
    }

    /// Counts something more.
    pub(super) fn add(&self, change: impl FnOnce(&mut Counts)) {
        let mut kept = self.kept();
        change(&mut kept.counts);
        if kept.told.elapsed() >= TELL {
            kept.told = Instant::now();
            let Counts { documents, contacts, .. } = kept.counts;
            let seconds = self.begun.elapsed().as_secs();
            let wanted = self.wanted;
            self.output
                .progress(&format!("{contacts} contacts, {documents} of {wanted} documents, {seconds} s"));
        }
    }

    /// What there is in the end.
    pub(super) fn counts(&self) -> Counts {
        self.kept().counts.clone()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Tally {
    /// Nothing of the progress stays, whether all was written or not.
    fn drop(&mut self) {
        self.output.progress("");
    }
}
