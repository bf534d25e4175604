//! What is open with each contact.
//!
//! Lines are not matched with each other: what a contact paid settles what was due first. What is paid beyond all that
//! was charged is open on the other side, from the last day on which something was paid.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::money::{Amount, MoneyError};
use svc_core::tenant::Scope;
use time::Date;

use super::{DueSum, ReportError};
use crate::account::Account;
use crate::books::report::{AgedItems, AgedSide, Buckets, OpenItem};
use crate::ports::BooksStorage;

/// So many contacts are read at once.
const AT_ONCE: usize = 500;

/// What customers owe, or suppliers are owed, at the end of a day: on the accounts *43*, or *40* and *41*.
///
/// # Errors
/// When the store failed, or a sum is out of range.
pub async fn aged_items<S: BooksStorage + ?Sized>(
    storage: &S,
    scope: &Scope,
    company: &Account,
    (side, as_of): (AgedSide, Date),
    buckets: &Buckets,
) -> Result<AgedItems, ReportError> {
    let currency = company.base_currency;
    let mut sums: BTreeMap<Option<ContactId>, Vec<DueSum>> = BTreeMap::new();
    for sum in storage.journal().due_sums(company.id, currency, side, as_of).await? {
        sums.entry(sum.contact).or_default().push(sum);
    }
    let mut items = Vec::new();
    for sums in sums.into_values() {
        items.extend(open(side, sums)?);
    }
    let contacts: BTreeSet<ContactId> = items.iter().filter_map(|item| item.contact).collect();
    let names = names(storage, scope, contacts).await?;
    for item in &mut items {
        let name = item.contact.and_then(|contact| names.get(&contact));
        item.contact_name = name.cloned().unwrap_or_default();
    }
    Ok(AgedItems::of(as_of, currency, side, buckets, &items)?)
}

/// The names of contacts.
async fn names<S: BooksStorage + ?Sized>(
    storage: &S,
    scope: &Scope,
    contacts: BTreeSet<ContactId>,
) -> Result<BTreeMap<ContactId, String>, StoreError> {
    let contacts: Vec<_> = contacts.into_iter().collect();
    let mut names = BTreeMap::new();
    for some in contacts.chunks(AT_ONCE) {
        let found = storage.contacts().find_all(scope, some).await?;
        names.extend(found.into_iter().map(|contact| (contact.id, contact.name())));
    }
    Ok(names)
}

/// What is open of the sums of one contact, once what was paid has settled what was due first.
fn open(side: AgedSide, mut sums: Vec<DueSum>) -> Result<Vec<OpenItem>, MoneyError> {
    sums.sort_by_key(|sum| sum.due);
    let charged = |sum: &DueSum| match side {
        AgedSide::Receivables => (sum.debit, sum.credit),
        AgedSide::Payables => (sum.credit, sum.debit),
    };
    let Some(first) = sums.first() else { return Ok(Vec::new()) };
    let zero = Amount::zero(first.debit.currency());
    let mut paid = zero;
    for sum in &sums {
        paid = paid.plus(charged(sum).1)?;
    }
    let mut items = Vec::new();
    for sum in &sums {
        let due = charged(sum).0;
        let settled = if paid.minor() < due.minor() { paid } else { due };
        paid = paid.minus(settled)?;
        items.extend(item(side, sum, due.minus(settled)?));
    }
    // The last one that paid anything.
    let last = sums.iter().rev().find(|sum| charged(sum).1.minor() > 0);
    items.extend(last.and_then(|sum| item(side, sum, paid.negated())));
    Ok(items)
}

/// An item for what is not zero; charges are more than zero.
fn item(side: AgedSide, sum: &DueSum, open: Amount) -> Option<OpenItem> {
    let balance = match side {
        AgedSide::Receivables => open,
        AgedSide::Payables => open.negated(),
    };
    let DueSum { contact, due, .. } = *sum;
    // The store left out what is of a later date: the day that counts here is the one on which it is due.
    let item =
        || OpenItem { contact, contact_name: String::new(), date: Date::MIN, due_date: Some(due), balance };
    (open.minor() != 0).then(item)
}

#[cfg(test)]
mod tests {
    use svc_core::money::Currency;
    use time::macros::date;

    use super::*;

    fn euros(minor: i64) -> Amount {
        Amount::from_minor(minor, Currency::EUR).expect("in range")
    }

    fn sum(due: Date, debit: i64, credit: i64) -> DueSum {
        DueSum { contact: None, due, debit: euros(debit), credit: euros(credit) }
    }

    fn opened(side: AgedSide, sums: Vec<DueSum>) -> Vec<(Date, i64)> {
        let items = open(side, sums).expect("in range");
        items.iter().map(|item| (item.due_date.expect("due"), item.balance.minor())).collect()
    }

    #[test]
    fn a_payment_settles_what_was_due_first() {
        let (january, february, march) =
            (date!(2025 - 01 - 31), date!(2025 - 02 - 28), date!(2025 - 03 - 31));
        let sums = vec![sum(march, 100, 0), sum(january, 300, 0), sum(february, 200, 350)];
        assert_eq!(opened(AgedSide::Receivables, sums), [(february, 150), (march, 100)]);
        let sums = vec![sum(january, 0, 300), sum(february, 100, 0)];
        assert_eq!(opened(AgedSide::Payables, sums), [(january, -200)]);
        assert_eq!(opened(AgedSide::Payables, vec![sum(january, 300, 300)]), []);
    }

    #[test]
    fn what_is_paid_beyond_all_charges_is_open_on_the_other_side() {
        let (january, february) = (date!(2025 - 01 - 31), date!(2025 - 02 - 28));
        let sums = vec![sum(january, 300, 0), sum(february, 0, 350)];
        assert_eq!(opened(AgedSide::Receivables, sums), [(february, -50)]);
        assert_eq!(opened(AgedSide::Payables, vec![sum(january, 50, 0)]), [(january, 50)]);
    }
}
