//! The lines that close a year and open the next one.

use std::collections::BTreeMap;

use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::money::{Amount, Currency, MoneyError};
use thiserror::Error;

use crate::books::account::AccountCode;
use crate::books::entry::Movement;

/// What an account holds for a contact, or for none: debit minus credit.
///
/// Accounts that many contacts share are closed and opened contact by contact, so that who owes what goes on into the
/// next year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The account.
    pub account: AccountCode,
    /// The contact, on an account that contacts share.
    pub contact: Option<ContactId>,
    /// Debit minus credit, in the base currency.
    pub amount: Amount,
}

/// One line of an entry that closes or opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosingLine {
    /// The account.
    pub account: AccountCode,
    /// The contact, on an account that contacts share.
    pub contact: Option<ContactId>,
    /// What is moved.
    pub movement: Movement,
}

/// The lines of the three entries that close a year; an entry without lines is not posted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosingLines {
    /// Groups 6 and 7 to the result: the last day of the year.
    pub regularisation: Vec<ClosingLine>,
    /// Every balance to zero: the last day of the year, after the regularisation.
    pub closing: Vec<ClosingLine>,
    /// Every balance again: the first day of the next year.
    pub opening: Vec<ClosingLine>,
}

/// Why balances cannot be closed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ClosingError {
    /// Debits and credits differ: what was read is not all, or not of posted entries alone.
    #[error("the balances add up to {difference} and not to zero")]
    Unbalanced {
        /// Debits minus credits.
        difference: Amount,
    },
    /// A sum is beyond the range of amounts, or a balance is in another currency.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl From<ClosingError> for StoreError {
    fn from(error: ClosingError) -> Self {
        match error {
            ClosingError::Money(error) => error.into(),
            ClosingError::Unbalanced { .. } => Self::backend(error),
        }
    }
}

/// Accounts in the order of a printed chart, contacts in that of their ids.
type Ledger = BTreeMap<(AccountCode, Option<ContactId>), Amount>;

impl ClosingLines {
    /// The lines that close a year with these balances at its end. `result` is the account of the result of the year;
    /// a balance that is there more than once is added up.
    ///
    /// # Errors
    /// [`ClosingError`].
    pub fn of(balances: &[Balance], result: AccountCode, currency: Currency) -> Result<Self, ClosingError> {
        let mut ledger = Ledger::new();
        for balance in balances {
            add(&mut ledger, (balance.account, balance.contact), balance.amount)?;
        }
        let difference = Amount::sum(ledger.values().copied(), currency)?;
        if difference.minor() != 0 {
            return Err(ClosingError::Unbalanced { difference });
        }
        let (of_result, mut rest): (Ledger, Ledger) =
            ledger.into_iter().partition(|((account, _), _)| matches!(account.group(), 6 | 7));
        let won = Amount::sum(of_result.values().copied(), currency)?;
        let mut regularisation = to_zero(&of_result);
        regularisation.extend(line((result, None), won));
        add(&mut rest, (result, None), won)?;
        let closing = to_zero(&rest);
        let opening =
            closing.iter().map(|line| ClosingLine { movement: line.movement.mirrored(), ..*line }).collect();
        Ok(Self { regularisation, closing, opening })
    }
}

fn add(ledger: &mut Ledger, key: (AccountCode, Option<ContactId>), amount: Amount) -> Result<(), MoneyError> {
    let present = ledger.get(&key).copied().unwrap_or(Amount::zero(amount.currency()));
    ledger.insert(key, present.plus(amount)?);
    Ok(())
}

/// A line against each balance that is not zero.
fn to_zero(ledger: &Ledger) -> Vec<ClosingLine> {
    ledger.iter().filter_map(|(key, amount)| line(*key, amount.negated())).collect()
}

/// A line that adds this much to a balance; none for zero.
fn line((account, contact): (AccountCode, Option<ContactId>), amount: Amount) -> Option<ClosingLine> {
    Some(ClosingLine { account, contact, movement: Movement::of_balance(amount)? })
}
