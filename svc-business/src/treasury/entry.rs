//! The entry of what a movement stands for that no payment has an entry for.

use svc_core::id::ContactId;
use svc_core::money::{Amount, Currency, MoneyError};

use crate::bank::movement::{BankMovement, without_ibans};
use crate::books::account::AccountCode;
use crate::books::entry::{Entry, EntryKind, FxRate};
use crate::invoicing::Ids;
use crate::invoicing::journal::{Heading, Part, build, join, made_by, settle};

/// What made the entry of a payment.
pub(super) const PAYMENT: &str = "payment";
/// What makes this entry.
pub(super) const SOURCE: &str = "bank_movement";

/// What stands where in the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The bank account.
    Money,
    /// What the money was for.
    Other,
}

/// Money that the account of a bank account gained from another account of the ledger.
pub(super) struct Booked {
    /// How much, in the currency of the movement.
    pub(super) amount: Amount,
    /// What that was in the books when it was booked before; by the rate of the movement where it was not.
    pub(super) known: Option<Amount>,
    pub(super) account: AccountCode,
    pub(super) contact: Option<ContactId>,
    pub(super) description: Option<String>,
}

impl Booked {
    /// What was not booked before.
    pub(super) const fn new(amount: Amount, account: AccountCode) -> Self {
        Self { amount, known: None, account, contact: None, description: None }
    }
}

/// What was won or lost since parts of the movement were booked at other rates: debit minus credit in the books, zero
/// where nothing was.
///
/// # Errors
/// [`MoneyError`] when an amount is beyond the range of amounts.
pub(super) fn exchanged(base: Currency, fx_rate: FxRate, booked: &[Booked]) -> Result<Amount, MoneyError> {
    let mut differences = Vec::new();
    for each in booked {
        if let Some(known) = each.known {
            differences.push(known.minus(fx_rate.convert(each.amount, base)?)?);
        }
    }
    Amount::sum(differences, base)
}

/// The entry, of the source `bank_movement/{id}/v{version}`: a movement that was undone is booked anew, at another version.
/// `None` when nothing is booked. `exchanged` is the account of what a change of rates won or lost, with that.
///
/// # Errors
/// [`MoneyError`] when an amount is beyond the range of amounts.
pub(super) fn entry(
    movement: &BankMovement,
    base: Currency,
    (money, fx_rate): (AccountCode, FxRate),
    (booked, exchanged): (&[Booked], Option<(AccountCode, Amount)>),
    ids: &Ids<'_>,
) -> Result<Option<Entry>, MoneyError> {
    let part = |role, account, contact, foreign: Amount| {
        let base = fx_rate.convert(foreign, base)?;
        Ok::<_, MoneyError>(Part { role, account, contact, due_date: None, foreign, base })
    };
    let (mut gained, mut others, mut descriptions) = (Vec::new(), Vec::new(), Vec::new());
    for each in booked {
        gained.push(part(Role::Money, money, None, each.amount)?);
        let mut other = part(Role::Other, each.account, each.contact, each.amount.negated())?;
        if let Some(known) = each.known {
            other.base = known.negated();
        }
        // What is nothing in the base currency has no line.
        descriptions.extend((other.base.minor() != 0).then_some(&each.description));
        others.push(other);
    }
    let mut all = join(gained)?;
    if let Some((account, base)) = exchanged {
        let foreign = Amount::zero(movement.moved.amount.currency());
        all.push(Part { role: Role::Other, account, contact: None, due_date: None, foreign, base });
    }
    all.extend(others);
    settle(&mut all, base, Role::Money, Role::Other)?;
    let version = movement.version.next();
    let heading = Heading {
        company: movement.company,
        kind: EntryKind::Bank,
        date: movement.booking_date,
        base_currency: base,
        currency: movement.moved.amount.currency(),
        fx_rate,
        source: made_by(SOURCE, &movement.id, &format!("v{}", version.as_i64())),
        reference: None,
        // Books show their texts to masked callers too.
        name: without_ibans(&movement.description).into_owned(),
    };
    let mut entry = build(heading, &all, Vec::new(), ids);
    if let Some(entry) = &mut entry {
        // The lines of what the money was for are the last ones, in their order.
        for (line, description) in entry.lines.iter_mut().rev().zip(descriptions.into_iter().rev()) {
            line.description.clone_from(description);
        }
    }
    Ok(entry)
}
