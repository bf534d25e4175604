//! What contacts owe, or are owed, by how long it is overdue.

use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::csv::{Cell, Table};
use svc_core::id::ContactId;
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::{Buckets, wire};
use crate::party::order_key;

/// Which side is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgedSide {
    /// What customers owe: debits are more than zero.
    Receivables,
    /// What is owed to suppliers: credits are more than zero.
    Payables,
}

/// What is open of one document or payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItem {
    /// With whom; `None` on a balance that has no contact.
    pub contact: Option<ContactId>,
    /// The name of the contact; empty for none.
    pub contact_name: String,
    /// The day on which it counts.
    pub date: Date,
    /// When it is due; on its date when nothing is said.
    pub due_date: Option<Date>,
    /// What is open: debit minus credit.
    pub balance: Amount,
}

/// What is open with each contact on a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgedItems {
    /// The day, when it ends.
    #[serde(serialize_with = "wire::text")]
    pub as_of: Date,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// The days that each bucket has, the last one without an end.
    pub buckets: Vec<BucketDays>,
    /// The contacts by their names; what has no contact comes first.
    pub contacts: Vec<AgedContact>,
    /// What all of them add up to.
    pub totals: Ages,
}

/// The days of a bucket: how long what is in it is overdue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BucketDays {
    /// From so many days.
    pub from: u16,
    /// To so many days.
    pub to: Option<u16>,
}

/// What is open with a contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgedContact {
    /// The contact.
    #[serde(serialize_with = "wire::text_or_null")]
    pub contact_id: Option<ContactId>,
    /// Its name.
    pub contact_name: String,
    /// What is open.
    #[serde(flatten)]
    pub ages: Ages,
}

/// What is open by how long it is overdue; a credit on the side that is looked at is less than zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ages {
    /// What is not due yet, or due on the day itself.
    #[serde(serialize_with = "wire::text")]
    pub not_due: Amount,
    /// What is overdue, bucket by bucket.
    #[serde(serialize_with = "wire::texts")]
    pub overdue: Vec<Amount>,
    /// All of it.
    #[serde(serialize_with = "wire::text")]
    pub total: Amount,
}

impl AgedItems {
    /// What is open on a day; items of a later date are left out.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn of(
        as_of: Date,
        currency: Currency,
        side: AgedSide,
        buckets: &Buckets,
        items: &[OpenItem],
    ) -> Result<Self, MoneyError> {
        let days: Vec<BucketDays> = buckets.spans().map(|(from, to)| BucketDays { from, to }).collect();
        let mut totals = Ages::zero(currency, days.len());
        let mut contacts = BTreeMap::new();
        for item in items.iter().filter(|item| item.date <= as_of) {
            let open = match side {
                AgedSide::Receivables => item.balance,
                AgedSide::Payables => item.balance.negated(),
            };
            let bucket = buckets.of(item.due_date.unwrap_or(item.date), as_of);
            let key = (item.contact.is_some(), order_key(&item.contact_name), item.contact);
            let contact = contacts.entry(key).or_insert_with(|| AgedContact {
                contact_id: item.contact,
                contact_name: item.contact_name.clone(),
                ages: Ages::zero(currency, days.len()),
            });
            contact.ages.add(bucket, open)?;
            totals.add(bucket, open)?;
        }
        Ok(Self { as_of, currency, buckets: days, contacts: contacts.into_values().collect(), totals })
    }

    /// The contacts as CSV, without the totals: a column for each bucket, such as `overdue31to60` and `overdueFrom91`.
    #[must_use]
    pub fn csv(&self) -> String {
        let overdue = self.buckets.iter().map(|days| match days.to {
            Some(to) => format!("overdue{}to{to}", days.from),
            None => format!("overdueFrom{}", days.from),
        });
        let header: Vec<String> = ["contactId", "contactName", "notDue"]
            .map(str::to_owned)
            .into_iter()
            .chain(overdue)
            .chain(["total".to_owned()])
            .collect();
        let mut table = Table::new(header.iter().map(String::as_str));
        for AgedContact { contact_id, contact_name, ages } in &self.contacts {
            let Ages { not_due, overdue, total } = ages;
            let contact = [Cell::plain_or_empty(*contact_id), Cell::text(contact_name)];
            let amounts = std::iter::once(not_due).chain(overdue).chain([total]).map(Cell::plain);
            table.row(contact.into_iter().chain(amounts));
        }
        table.finish()
    }
}

impl Ages {
    fn zero(currency: Currency, buckets: usize) -> Self {
        let zero = Amount::zero(currency);
        Self { not_due: zero, overdue: vec![zero; buckets], total: zero }
    }

    fn add(&mut self, bucket: Option<usize>, open: Amount) -> Result<(), MoneyError> {
        let place = match bucket {
            Some(at) => self.overdue.get_mut(at),
            None => Some(&mut self.not_due),
        };
        if let Some(place) = place {
            *place = place.plus(open)?;
        }
        self.total = self.total.plus(open)?;
        Ok(())
    }
}
