//! A company with so many contacts, a tenth as many cases, invoices, and movements of a bank account.

use svc_core::clock::Clock as _;
use svc_core::id::AccountId;
use svc_core::system::SystemClock;

use super::Size;
use super::bank::{Received, receive};
use super::trade::sell;
use crate::faults::Site;
use crate::filling::{company_of, database_of, people};

/// Movements of a bank account that are to be reconciled.
const MOVEMENTS: usize = 50;

/// What a company has been filled with.
pub(super) struct Filled {
    pub(super) company: AccountId,
    /// The day of its last invoices.
    pub(super) today: String,
    /// The ids of its invoices.
    pub(super) invoices: Vec<String>,
    /// How many of them are not paid, the last ones.
    unpaid: usize,
    /// The movements of its bank account.
    pub(super) movements: Received,
}

impl Filled {
    /// The invoices that are not paid, the last ones.
    pub(super) fn unpaid(&self) -> &[String] {
        self.invoices.split_at(self.invoices.len().saturating_sub(self.unpaid)).1
    }
}

/// Fills the database of a site whose company has been made.
pub(super) async fn fill(site: &Site, Size { contacts, invoices, unpaid }: Size) -> Filled {
    let database = database_of(site).await;
    let company = company_of(&database).await;
    people(&database, company, contacts).await;
    let invoices = sell(&database, company, contacts, [invoices, unpaid]).await;
    let last = invoices.split_at(invoices.len().saturating_sub(MOVEMENTS)).1;
    let movements = receive(&database, company, last).await;
    let today = SystemClock.now().date().to_string();
    database.close().await;
    Filled { company, today, invoices, unpaid: unpaid as usize, movements }
}
