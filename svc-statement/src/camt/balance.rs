//! Amounts with their sides, and the balances of a statement.

use svc_core::money::{Amount, Currency};

use super::agree;
use super::walk::Walk;
use crate::amount::{NoAmount, amount};
use crate::error::ReadError;

/// The balances that a statement begins and ends with.
#[derive(Default)]
pub(super) struct Balances {
    opening: Option<Amount>,
    previous: Option<Amount>,
    closing: Option<Amount>,
}

impl Balances {
    pub(super) fn read(
        &mut self,
        walk: &mut Walk<'_>,
        currency: &mut Option<Currency>,
    ) -> Result<(), ReadError> {
        let (mut kind, mut size, mut debit) = (None, None, None);
        while let Some(name) = walk.next()? {
            match name {
                "Tp" => kind = walk.find("Cd", &["CdOrPrtry"])?,
                "Amt" => size = Some(account_amount(walk, currency)?),
                "CdtDbtInd" => debit = Some(is_debit(walk)?),
                _ => walk.skip()?,
            }
        }
        let kind = kind.unwrap_or_default();
        let balance = match kind.trim() {
            "OPBD" => &mut self.opening,
            "PRCD" => &mut self.previous,
            "CLBD" => &mut self.closing,
            _ => return Ok(()),
        };
        let (Some(size), Some(debit)) = (size, debit) else {
            return Err(walk.wrong("an amount (Amt) and its side (CdtDbtInd)"));
        };
        // A statement in pages has interim balances of the same kinds: the first opens, the last closes.
        if balance.is_none() || kind.trim() == "CLBD" {
            *balance = Some(signed(size, debit));
        }
        Ok(())
    }

    /// What it began and ended with. Some banks give the closing balance before, in place of the opening one.
    pub(super) fn ends(&self) -> (Option<Amount>, Option<Amount>) {
        (self.opening.or(self.previous), self.closing)
    }
}

/// An amount in the currency of the account, which all of an account are.
pub(super) fn account_amount(
    walk: &mut Walk<'_>,
    currency: &mut Option<Currency>,
) -> Result<Amount, ReadError> {
    let code = walk.currency().unwrap_or_default();
    let text = walk.text()?;
    let currency = agree(currency, &code).map_err(|expected| walk.wrong(expected))?;
    parsed(walk, &text, currency)
}

/// An amount that may be in another currency, and is `None` then.
pub(super) fn detail_amount(walk: &mut Walk<'_>, currency: Currency) -> Result<Option<Amount>, ReadError> {
    let code = walk.currency().unwrap_or_default();
    let text = walk.text()?;
    if code.trim() == currency.code() { parsed(walk, &text, currency).map(Some) } else { Ok(None) }
}

/// Whether an amount is a debit.
pub(super) fn is_debit(walk: &mut Walk<'_>) -> Result<bool, ReadError> {
    match walk.text()?.trim() {
        "DBIT" => Ok(true),
        "CRDT" => Ok(false),
        _ => Err(walk.wrong("CRDT or DBIT")),
    }
}

/// An amount with the sign of its side.
pub(super) fn signed(size: Amount, debit: bool) -> Amount {
    if debit { size.negated() } else { size }
}

fn parsed(walk: &Walk<'_>, text: &str, currency: Currency) -> Result<Amount, ReadError> {
    let text = text.trim();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let read = if whole.is_empty() { Err(NoAmount::Form) } else { amount(whole, decimals, currency) };
    read.map_err(|error| match error {
        NoAmount::Form | NoAmount::Currency => {
            walk.wrong(format!("an amount with at most {} decimals", currency.digits()))
        }
        NoAmount::Range => ReadError::OutOfRange { place: walk.last() },
    })
}
