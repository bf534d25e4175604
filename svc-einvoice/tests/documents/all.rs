//! Sixty documents of every kind, with the figures that the business computes for them.

mod builder;
mod cases;
mod varied;

use svc_einvoice::model::Invoice;

/// A document with a name for its files.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) invoice: Invoice,
}

/// All sixty.
pub(crate) fn all() -> Vec<Named> {
    let mut all: Vec<Named> =
        cases::all().into_iter().map(|(name, invoice)| Named { name: name.to_owned(), invoice }).collect();
    let rest = 60_u32.saturating_sub(u32::try_from(all.len()).expect("few"));
    all.extend(
        (1..=rest).map(|seed| Named { name: format!("varied-{seed:02}"), invoice: varied::document(seed) }),
    );
    all
}
