//! The entries of payments.

use svc_core::money::Amount;

use super::effect::{Effect, Part, Role};
use super::entry::{Heading, build};
use super::{JournalRefused, JournalSetting};
use crate::books::account::AccountCode;
use crate::books::entry::{Entry, EntryKind};
use crate::invoicing::journal::{difference, exchange, made_by, money_purpose};
use crate::sales::document::{Action, Means, Payment, SalesDocument};

/// The entry of a payment of money, of the kind `payment` and the source `payment/{id}/payment`; `None` for one that
/// moves nothing in the books: by a replacement, or one that an [`offset_entry`] has.
///
/// `bank` is the account in the books of the bank account that the payment names. Where it names none, cash came to the
/// account of cash, and anything else waits on the account for what is not explained yet.
///
/// # Errors
/// [`JournalRefused`].
pub fn payment_entry(
    document: &SalesDocument,
    payment: &Payment,
    bank: Option<AccountCode>,
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    document.issued(Action::Pay)?;
    let account = match &payment.means {
        Means::Money { method, .. } => bank.map_or_else(|| setting.account(money_purpose(*method)), Ok)?,
        Means::Offset { .. } | Means::Replacement { .. } => return Ok(None),
    };
    let base = payment.fx_rate.convert(payment.amount, document.base_currency)?;
    let money =
        Part { role: Role::Money, account, contact: None, due_date: None, foreign: payment.amount, base };
    let parts = vec![money, settled(document, payment, setting)?];
    finish(document, payment, parts, "payment", setting)
}

/// The entry of two payments by which documents pay each other, each with its document: the customer owes less of the
/// one, and is owed less of the other. Its source is `payment/{id}/offset`, of the first one.
///
/// # Errors
/// [`JournalRefused`].
pub fn offset_entry(
    one: (&SalesDocument, &Payment),
    other: (&SalesDocument, &Payment),
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    let mut parts = Vec::with_capacity(3);
    for (document, payment) in [one, other] {
        document.issued(Action::Pay)?;
        parts.push(settled(document, payment, setting)?);
    }
    finish(one.0, one.1, parts, "offset", setting)
}

/// What the customer owes less.
fn settled(
    document: &SalesDocument,
    payment: &Payment,
    setting: &JournalSetting<'_>,
) -> Result<Part, JournalRefused> {
    Ok(Part {
        role: Role::Customer,
        account: setting.receivable()?,
        contact: document.contact,
        due_date: document.due_date(),
        foreign: payment.amount.negated(),
        base: payment.settled.negated(),
    })
}

fn finish(
    document: &SalesDocument,
    payment: &Payment,
    mut parts: Vec<Part>,
    role: &'static str,
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    parts.extend(exchanged(document, &parts, setting)?);
    let heading = Heading {
        kind: EntryKind::Payment,
        date: payment.date,
        fx_rate: payment.fx_rate,
        source: made_by("payment", &payment.id, role),
    };
    Ok(build(document, heading, Effect { parts, tags: Vec::new() }, setting))
}

/// What a change of the rate of exchange won or lost; `None` for nothing.
fn exchanged(
    document: &SalesDocument,
    parts: &[Part],
    setting: &JournalSetting<'_>,
) -> Result<Option<Part>, JournalRefused> {
    let base = difference(parts, document.base_currency)?;
    let Some(purpose) = exchange(base) else { return Ok(None) };
    let foreign = Amount::zero(document.content.currency());
    let account = setting.account(purpose)?;
    Ok(Some(Part { role: Role::Money, account, contact: None, due_date: None, foreign, base }))
}
