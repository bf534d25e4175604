//! The entries of payments.

use svc_core::money::Amount;

use super::effect::{Part, Role};
use super::{JournalRefused, JournalSetting, heading};
use crate::books::account::AccountCode;
use crate::books::entry::{Entry, EntryKind};
use crate::invoicing::journal::{self, difference, exchange, money_purpose};
use crate::purchases::document::{Action, Means, Payment, SupplierDocument};

/// The entry of a payment of money, of the kind `payment` and the source `payment/{id}/payment`; `None` for one that an
/// [`offset_entry`] has.
///
/// `bank` is the account in the books of the bank account that the payment names. Where it names none, cash went from the
/// account of cash, and anything else waits on the account for what is not explained yet.
///
/// # Errors
/// [`JournalRefused`].
pub fn payment_entry(
    document: &SupplierDocument,
    payment: &Payment,
    bank: Option<AccountCode>,
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    let settled = settled(document, payment, setting)?;
    let account = match &payment.means {
        Means::Money { method, .. } => bank.map_or_else(|| setting.account(money_purpose(*method)), Ok)?,
        Means::Offset { .. } => return Ok(None),
    };
    let foreign = payment.amount.negated();
    let base = payment.fx_rate.convert(foreign, document.base_currency)?;
    let money = Part { role: Role::Money, account, contact: None, due_date: None, foreign, base };
    finish(document, payment, vec![settled, money], "payment", setting)
}

/// The entry of two payments by which documents pay each other, each with its document: the supplier is owed less by the
/// one, and owes less by the other. Its source is `payment/{id}/offset`, of the first one.
///
/// # Errors
/// [`JournalRefused`].
pub fn offset_entry(
    one: (&SupplierDocument, &Payment),
    other: (&SupplierDocument, &Payment),
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    let mut parts = Vec::with_capacity(3);
    for (document, payment) in [one, other] {
        parts.push(settled(document, payment, setting)?);
    }
    finish(one.0, one.1, parts, "offset", setting)
}

/// What the supplier is owed less.
fn settled(
    document: &SupplierDocument,
    payment: &Payment,
    setting: &JournalSetting<'_>,
) -> Result<Part, JournalRefused> {
    let approval = document.approved(Action::Pay)?;
    Ok(Part {
        role: Role::Supplier,
        account: setting.payable(approval.supplier_type)?,
        contact: Some(approval.contact),
        due_date: Some(approval.due_date),
        foreign: payment.amount,
        base: payment.settled,
    })
}

fn finish(
    document: &SupplierDocument,
    payment: &Payment,
    mut parts: Vec<Part>,
    role: &'static str,
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    let base = difference(&parts, document.base_currency)?;
    if let Some(purpose) = exchange(base) {
        let foreign = Amount::zero(document.content.currency());
        let account = setting.account(purpose)?;
        parts.push(Part { role: Role::Money, account, contact: None, due_date: None, foreign, base });
    }
    let source = journal::made_by("payment", &payment.id, role);
    let heading = heading(document, EntryKind::Payment, payment.date, payment.fx_rate, source);
    Ok(journal::build(heading, &parts, Vec::new(), &setting.ids))
}
