//! A believable company for trying lists and reports: what is in it, and in which order, follows from how much is asked
//! for. Its documents come by the API, as an integration would write them: sales beside purchases, each in the order of
//! their days.

mod assets;
mod cases;
mod chance;
mod line;
mod parties;
mod payment;
mod purchases;
mod sales;
mod tally;
mod words;
mod year;

use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use self::parties::Parties;
use self::tally::{Counts, Tally};
use self::year::Year;
use super::api::Api;
use crate::failure::Failure;
use crate::output::Output;

/// The parts of a hundred of all documents that are sales.
const SALES: u32 = 70;

/// What the company has in the end.
#[derive(Serialize)]
pub(super) struct Filled {
    #[serde(rename = "filled")]
    counts: Counts,
    seconds: f64,
    #[serde(rename = "documentsPerSecond")]
    per_second: f64,
}

/// Fills the company.
pub(super) async fn fill(api: &Api, documents: u32, output: Output) -> Result<Filled, Failure> {
    let begun = Instant::now();
    let tally = Tally::of(documents, output);
    api.complete_company().await?;
    let year = Year::present(api).await?;
    let parties = Parties::create(api, documents, &tally).await?;
    let sold = documents.saturating_mul(SALES).div_ceil(100);
    let sales = Box::pin(sales::write(api, &parties.customers, &year, sold, &tally));
    let purchases = Box::pin(purchases::write(api, &parties.suppliers, &year, documents - sold, &tally));
    tokio::try_join!(sales, purchases)?;
    cases::write(api, &parties.customers, &year, documents, &tally).await?;
    assets::depreciate(api, &year).await?;
    Ok(Filled::new(tally.counts(), begun.elapsed()))
}

impl Filled {
    fn new(counts: Counts, elapsed: Duration) -> Self {
        let seconds = elapsed.as_secs_f64();
        let per_second = f64::from(counts.documents) / seconds.max(f64::EPSILON);
        let rounded = |number: f64| (number * 10.0).round() / 10.0;
        Self { counts, seconds: rounded(seconds), per_second: rounded(per_second) }
    }

    /// The same for people.
    pub(super) fn text(&self) -> String {
        let Self { counts, seconds, per_second } = self;
        let Counts { documents, contacts, suppliers, invoices, quotes, drafts, fixed_assets, cases, .. } =
            counts;
        format!(
            "The company was filled in {seconds} s, {per_second} documents a second:\n  \
             documents           {documents}\n  \
             contacts            {contacts}, of them suppliers {suppliers}\n  \
             invoices            {invoices} issued, {} paid, {} paid in part\n  \
             quotes, drafts      {quotes}, {drafts}\n  \
             supplier documents  {}, {} approved, {} paid, {} paid in part\n  \
             fixed assets        {fixed_assets}\n  \
             cases               {cases}",
            counts.invoices_paid,
            counts.invoices_part_paid,
            counts.supplier_documents,
            counts.supplier_documents_approved,
            counts.supplier_documents_paid,
            counts.supplier_documents_part_paid,
        )
    }
}
