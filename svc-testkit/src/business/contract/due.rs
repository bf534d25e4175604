//! What leads from money that moved to documents and payments.

use svc_business::invoicing::{
    ByMoney, DueDocument, DueLeads, Money, Payment, PaymentLeads, UnmatchedPayment, compact_number,
};
use svc_core::money::Amount;
use time::Duration;
use time::macros::date;

use crate::business::sample::id;

/// Leads for a document, and whether it is found by them: by each as long as something is due of it, and by no other one.
pub(super) fn leads<I>(document: &DueDocument<I>, is_due: bool) -> Vec<(DueLeads, bool)> {
    let due = document.due;
    let of = |minor: i64| Amount::from_minor(minor, due.currency()).expect("in range");
    let other = of(due.minor().checked_mul(2).filter(|other| *other != 0).unwrap_or(1));
    let day = document.due_date.unwrap_or(date!(2025 - 01 - 01));
    let far = [date!(1999 - 01 - 01), date!(1999 - 02 - 01)];
    let bare = DueLeads { due: other, near: far, numbers: Vec::new(), contacts: Vec::new() };
    let mut leads = vec![
        DueLeads { due, near: [day - Duration::DAY, day + Duration::DAY], ..bare.clone() },
        DueLeads { due, ..bare.clone() },
    ];
    let numbered = |number| DueLeads { numbers: vec![compact_number(number)], ..bare.clone() };
    leads.extend(document.number.as_deref().map(numbered));
    leads.extend(document.contact.map(|contact| DueLeads { contacts: vec![contact], ..bare.clone() }));
    let turned: Vec<_> =
        leads.iter().cloned().map(|lead| DueLeads { due: lead.due.negated(), ..lead }).collect();
    let to_nothing = turned.into_iter().chain([bare]).map(|lead| (lead, false));
    leads.into_iter().map(|lead| (lead, is_due)).chain(to_nothing).collect()
}

/// Leads for a payment, as which it is found, and whether it is by each: as long as no movement stands against it.
pub(super) fn payment_leads<M: ByMoney>(
    payment: &Payment<M>,
) -> (UnmatchedPayment, [(PaymentLeads, bool); 4]) {
    let money = payment.means.money();
    let is_unmatched = money.is_some_and(Money::is_unmatched);
    let account = money.and_then(|money| money.bank_account);
    let leads = PaymentLeads {
        amount: payment.amount,
        days: [payment.date; 2],
        bank_account: account.unwrap_or_else(|| id(98)),
    };
    let leads = [
        (leads, is_unmatched),
        (PaymentLeads { days: [payment.date + Duration::DAY; 2], ..leads }, false),
        (PaymentLeads { amount: payment.amount.negated(), ..leads }, false),
        (PaymentLeads { bank_account: id(97), ..leads }, is_unmatched && account.is_none()),
    ];
    (UnmatchedPayment { payment: payment.id, date: payment.date }, leads)
}
