//! Lines of an entry.

use std::collections::BTreeMap;

use svc_core::id::{ContactId, JournalLineId};
use svc_core::money::Amount;
use time::Date;

use super::Movement;
use crate::books::account::AccountCode;

/// One line of an entry; its place in the entry is its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its id.
    pub id: JournalLineId,
    /// The account that it moves.
    pub account: AccountCode,
    /// What it moves, in the base currency.
    pub movement: Movement,
    /// The same in the entry's own currency: more than zero for a debit, less for a credit, zero where only the base
    /// currency is adjusted.
    pub amount_currency: Option<Amount>,
    /// With whom, on an account that contacts share.
    pub contact: Option<ContactId>,
    /// With whom when it was posted, which its hash was made of: a merge of contacts changes `contact` alone.
    pub posted_contact: Option<ContactId>,
    /// What it is about, at most 500 characters.
    pub description: Option<String>,
    /// When it is due to be paid.
    pub due_date: Option<Date>,
    /// When that was when it was posted, which its hash was made of, if it changed since.
    pub posted_due_date: Option<Date>,
    /// What the company sorts it by beside accounts: `project`, `costCentre`.
    pub dimensions: BTreeMap<String, String>,
}

impl Line {
    /// Whether it moves this much, in the currency of the books or in that of its entry.
    pub(crate) fn moves(&self, amount: Amount) -> bool {
        self.movement.signed() == amount || self.amount_currency == Some(amount)
    }

    /// The line that undoes this one.
    pub(super) fn mirrored(&self, id: JournalLineId) -> Self {
        Self {
            id,
            movement: self.movement.mirrored(),
            amount_currency: self.amount_currency.map(Amount::negated),
            ..self.clone()
        }
    }
}
