//! What is open with each contact.
//!
//! Lines are not matched with each other: what a contact paid settles what was due first, so the charges that are open
//! are the last ones. What is paid beyond all that was charged is open on the other side, from the last day on which
//! something was paid.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::id::ContactId;
use svc_core::money::{Amount, MoneyError};
use svc_core::tenant::Scope;
use time::Date;

use super::{AT_ONCE, DueQuery, DueSum, OpenBalance, ReportError, contacts_of};
use crate::account::Account;
use crate::books::report::{AgedItems, AgedSide, Buckets, OpenItem};
use crate::contact::Contact;
use crate::ports::BooksStorage;

/// So many days of each contact are read first, and eight times as many of those that have more open.
const FIRST_DAYS: u32 = 8;

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
    let (mut charged, mut paid) = (Vec::new(), Vec::new());
    for open in storage.journal().open_balances(company.id, currency, side, as_of).await? {
        let is_charged = (open.balance.minor() > 0) == is_debit(side);
        if is_charged { charged.push(open) } else { paid.push(open) }
    }
    let (last, most) = (DueQuery { side, as_of, debits: !is_debit(side), days: 1 }, AT_ONCE);
    let mut items = items_of(storage, company, last, most, &mut paid).await?;
    let mut asked = DueQuery { debits: is_debit(side), days: FIRST_DAYS, ..last };
    let mut most = AT_ONCE;
    while !charged.is_empty() {
        items.extend(items_of(storage, company, asked, most, &mut charged).await?);
        asked.days = asked.days.saturating_mul(8);
        most = (most / 8).max(1);
    }
    let contacts: BTreeSet<ContactId> = items.iter().filter_map(|item| item.contact).collect();
    let contacts = contacts_of(storage, scope, contacts).await?;
    for item in &mut items {
        let contact = item.contact.and_then(|contact| contacts.get(&contact));
        item.contact_name = contact.map(Contact::name).unwrap_or_default();
    }
    Ok(AgedItems::of(as_of, currency, side, buckets, &items)?)
}

/// Whether charges of a side are debits.
fn is_debit(side: AgedSide) -> bool {
    match side {
        AgedSide::Receivables => true,
        AgedSide::Payables => false,
    }
}

/// The items of these balances, of which `most` are looked at at once; leaves those that more days are needed for.
async fn items_of<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    asked: DueQuery,
    most: usize,
    open: &mut Vec<OpenBalance>,
) -> Result<Vec<OpenItem>, ReportError> {
    let mut items = Vec::new();
    let mut left = Vec::new();
    for some in open.chunks(most) {
        let contacts: Vec<_> = some.iter().map(|open| open.contact).collect();
        let mut sums: BTreeMap<Option<ContactId>, Vec<DueSum>> = BTreeMap::new();
        for sum in storage.journal().due_sums(company.id, company.base_currency, asked, &contacts).await? {
            sums.entry(sum.contact).or_default().push(sum);
        }
        for open in some {
            let sums = sums.remove(&open.contact).unwrap_or_default();
            match last_ones(*open, asked, sums)? {
                Some(found) => items.extend(found),
                None => left.push(*open),
            }
        }
    }
    *open = left;
    Ok(items)
}

/// The items that a balance consists of: the last sums, as much of them as it is; `None` when they are not enough, and
/// the contact may have more.
fn last_ones(
    open: OpenBalance,
    asked: DueQuery,
    mut sums: Vec<DueSum>,
) -> Result<Option<Vec<OpenItem>>, MoneyError> {
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.due));
    let zero = Amount::zero(open.balance.currency());
    // A credit balance is looked at as if it were a debit.
    let signed = |amount: Amount| if open.balance.minor() < 0 { amount.negated() } else { amount };
    let mut rest = signed(open.balance);
    let mut items = Vec::new();
    let item = |due, amount| OpenItem {
        contact: open.contact,
        contact_name: String::new(),
        // The store left out what is of a later date: the day that counts here is the one on which it is due.
        date: Date::MIN,
        due_date: Some(due),
        balance: signed(amount),
    };
    // What is paid beyond all charges is of the last payment, however large that was.
    let beyond = asked.debits != is_debit(asked.side);
    for sum in &sums {
        let part = if beyond || rest.minor() < sum.amount.minor() { rest } else { sum.amount };
        rest = rest.minus(part)?;
        items.push(item(sum.due, part));
        if rest == zero {
            return Ok(Some(items));
        }
    }
    if sums.len() >= usize::try_from(asked.days).unwrap_or(usize::MAX) {
        return Ok(None);
    }
    // Something was posted between the balance and the sums.
    let first = items.last().and_then(|item| item.due_date).unwrap_or(asked.as_of);
    items.push(item(first, rest));
    Ok(Some(items))
}

#[cfg(test)]
mod tests {
    use svc_core::money::Currency;
    use time::macros::date;

    use super::*;

    const JANUARY: Date = date!(2025 - 01 - 31);
    const FEBRUARY: Date = date!(2025 - 02 - 28);
    const MARCH: Date = date!(2025 - 03 - 31);

    fn euros(minor: i64) -> Amount {
        Amount::from_minor(minor, Currency::EUR).expect("in range")
    }

    fn opened(side: AgedSide, (balance, days): (i64, u32), sums: &[(Date, i64)]) -> Option<Vec<(Date, i64)>> {
        let debits = balance > 0;
        let asked = DueQuery { side, as_of: MARCH, debits, days };
        let sum = |(due, amount): &(Date, i64)| DueSum { contact: None, due: *due, amount: euros(*amount) };
        let open = OpenBalance { contact: None, balance: euros(balance) };
        let items = last_ones(open, asked, sums.iter().map(sum).collect()).expect("in range");
        let told = |item: &OpenItem| (item.due_date.expect("due"), item.balance.minor());
        items.map(|items| items.iter().map(told).collect())
    }

    #[test]
    fn what_is_open_is_the_last_of_what_was_charged() {
        let sums = [(MARCH, 100), (JANUARY, 300), (FEBRUARY, 200)];
        let (customers, suppliers) = (AgedSide::Receivables, AgedSide::Payables);
        assert_eq!(opened(customers, (250, 8), &sums), Some(vec![(MARCH, 100), (FEBRUARY, 150)]));
        assert_eq!(opened(customers, (100, 8), &sums), Some(vec![(MARCH, 100)]));
        assert_eq!(opened(suppliers, (-50, 8), &sums), Some(vec![(MARCH, -50)]));
    }

    #[test]
    fn what_is_paid_beyond_all_charges_is_open_on_the_other_side() {
        let (customers, suppliers) = (AgedSide::Receivables, AgedSide::Payables);
        assert_eq!(opened(customers, (-50, 1), &[(FEBRUARY, 350)]), Some(vec![(FEBRUARY, -50)]));
        assert_eq!(opened(customers, (-500, 1), &[(FEBRUARY, 350)]), Some(vec![(FEBRUARY, -500)]));
        assert_eq!(opened(suppliers, (50, 1), &[(JANUARY, 50)]), Some(vec![(JANUARY, 50)]));
    }

    #[test]
    fn more_days_are_read_while_they_may_have_what_is_open() {
        let customers = AgedSide::Receivables;
        let sums = [(MARCH, 100), (FEBRUARY, 200)];
        assert_eq!(opened(customers, (301, 2), &sums), None);
        assert_eq!(opened(customers, (300, 2), &sums), Some(vec![(MARCH, 100), (FEBRUARY, 200)]));
        let all = vec![(MARCH, 100), (FEBRUARY, 200), (FEBRUARY, 1)];
        assert_eq!(opened(customers, (301, 3), &sums), Some(all));
        assert_eq!(opened(customers, (7, 3), &[]), Some(vec![(MARCH, 7)]));
    }
}
