//! A company with what it deals with, sells, buys, is paid and keeps, in numbers that its [`Size`] says.

mod caller;
mod movements;
mod papers;
mod purchases;
mod receipts;
mod sales;

use svc_core::clock::Clock as _;
use svc_core::id::AccountId;
use svc_core::system::SystemClock;

use self::caller::Caller;
pub(super) use self::movements::{cash_box, import_of};
pub(super) use self::papers::folder_of;
use self::purchases::Bought;
pub(super) use self::purchases::contact_number;
use self::receipts::Received;
use self::sales::Sold;
use super::Size;
use crate::faults::Site;
use crate::filling::{company_of, database_of, people};

/// Movements of a bank account that pay an invoice each.
const PAYING: usize = 50;

/// What a company has been filled with.
pub(super) struct Filled {
    pub(super) company: AccountId,
    /// Its contacts, which have the numbers from 1 on, as do as many movements of its cash box.
    pub(super) contacts: u32,
    /// The day of its last invoices.
    pub(super) today: String,
    /// Its invoices.
    pub(super) sold: Sold,
    /// The movements that pay the last of those that wait for their payment.
    pub(super) received: Received,
    /// Its suppliers and their documents.
    pub(super) bought: Bought,
}

impl Filled {
    /// Its files, and as many notices and envelopes, which have the numbers from 1 on.
    pub(super) fn papers(&self) -> u32 {
        papers_of(self.contacts)
    }
}

fn papers_of(contacts: u32) -> u32 {
    (contacts / 10).max(1)
}

/// Fills the database of a site whose company has been made.
pub(super) async fn fill(site: &Site, Size { contacts, invoices, unpaid }: Size) -> Filled {
    let (database, caller) = (database_of(site).await, Caller::new());
    let company = company_of(&database).await;
    people(&database, company, contacts).await;
    let sold = sales::sell(&database, &caller, company, contacts, [invoices, unpaid]).await;
    let last = sold.unpaid.split_at(sold.unpaid.len().saturating_sub(PAYING)).1;
    let received = receipts::receive(&database, &caller, company, last).await;
    movements::move_money(&database, company, contacts).await;
    // Contacts that are deleted and merged are no suppliers, see the operations.
    let suppliers = (contacts / 20).max(1);
    let bought = purchases::buy(&database, &caller, company, [suppliers, invoices]).await;
    papers::keep(&database, company, papers_of(contacts)).await;
    let today = SystemClock.now().date().to_string();
    database.close().await;
    Filled { company, contacts, today, sold, received, bought }
}
