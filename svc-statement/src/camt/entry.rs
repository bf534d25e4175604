//! One entry of a statement (`Ntry`), and the movements that it is.

use svc_core::money::{Amount, Currency};
use time::Date;

use super::balance::{account_amount, is_debit, signed};
use super::details::{Details, add_text};
use super::walk::Walk;
use super::{SoFar, codes};
use crate::date::iso;
use crate::error::ReadError;
use crate::model::{Movement, Statement};
use crate::{iban, text};

/// What an entry says.
#[derive(Default)]
struct Entry {
    size: Option<Amount>,
    debit: Option<bool>,
    reversal: bool,
    booked: bool,
    booking_date: Option<Date>,
    value_date: Option<Date>,
    code: Option<String>,
    references: Vec<String>,
    details: Vec<Details>,
    text: String,
}

/// Reads the entry that is open. `false` is one that the bank has not booked yet.
pub(super) fn read(
    walk: &mut Walk<'_>,
    statement: &mut Statement,
    so_far: &mut SoFar,
) -> Result<bool, ReadError> {
    let mut entry = Entry::default();
    let room = crate::MOST_MOVEMENTS.saturating_sub(so_far.movements);
    while let Some(name) = walk.next()? {
        entry.member(walk, name, &mut statement.currency, room)?;
    }
    if !entry.booked {
        return Ok(false);
    }
    let dates = entry.booking_date.or(entry.value_date).zip(entry.value_date.or(entry.booking_date));
    let (Some(size), Some(debit), Some(dates)) = (entry.size, entry.debit, dates) else {
        return Err(walk.wrong("an amount (Amt), its side (CdtDbtInd) and a date (BookgDt or ValDt)"));
    };
    let total = signed(size, debit);
    let position = so_far.entries;
    if let Some(amounts) = entry.split(total, debit)
        && so_far.repeat(amounts.len().saturating_mul(entry.bytes()))
    {
        let details = std::mem::take(&mut entry.details);
        for (amount, details) in amounts.into_iter().zip(details) {
            so_far.admit()?;
            statement.movements.push(entry.movement(position, dates, amount, Some(details)));
        }
    } else {
        so_far.admit()?;
        let only = if entry.details.len() == 1 { entry.details.pop() } else { None };
        statement.movements.push(entry.movement(position, dates, total, only));
    }
    Ok(true)
}

impl Entry {
    fn member(
        &mut self,
        walk: &mut Walk<'_>,
        name: &str,
        currency: &mut Option<Currency>,
        room: usize,
    ) -> Result<(), ReadError> {
        match name {
            "NtryRef" | "AcctSvcrRef" => {
                let reference = walk.text()?;
                text::add_reference(&mut self.references, &reference);
            }
            "Amt" => self.size = Some(account_amount(walk, currency)?),
            "CdtDbtInd" => self.debit = Some(is_debit(walk)?),
            "RvslInd" => self.reversal = matches!(walk.text()?.trim(), "true" | "1"),
            "Sts" => self.booked = walk.text_or("Cd")?.trim() == "BOOK",
            "BookgDt" => self.booking_date = day(walk)?,
            "ValDt" => self.value_date = day(walk)?,
            "BkTxCd" => self.code = codes::read(walk)?,
            "NtryDtls" => self.transactions(walk, *currency, room)?,
            "AddtlNtryInf" => {
                let more = walk.text()?;
                add_text(&mut self.text, &more);
            }
            _ => walk.skip()?,
        }
        Ok(())
    }

    fn transactions(
        &mut self,
        walk: &mut Walk<'_>,
        currency: Option<Currency>,
        room: usize,
    ) -> Result<(), ReadError> {
        while let Some(name) = walk.next()? {
            if name != "TxDtls" {
                walk.skip()?;
                continue;
            }
            if self.details.len() >= room {
                return Err(ReadError::TooManyMovements);
            }
            walk.number(u32::try_from(self.details.len()).unwrap_or(u32::MAX).saturating_add(1));
            // The amount of an entry stands before its details.
            let currency =
                currency.ok_or_else(|| ReadError::malformed(walk.place(), "Ntry/Amt before it"))?;
            self.details.push(Details::read(walk, currency)?);
        }
        Ok(())
    }

    /// Bytes of its texts, which each of its movements has.
    fn bytes(&self) -> usize {
        self.references.iter().map(String::len).fold(self.text.len(), usize::saturating_add)
    }

    /// The amounts of a batch, if each of its transactions has one and they come to that of the entry.
    fn split(&self, total: Amount, debit: bool) -> Option<Vec<Amount>> {
        if self.details.len() < 2 {
            return None;
        }
        let of = |details: &Details| Some(signed(details.size?, details.debit.unwrap_or(debit)));
        let amounts: Vec<Amount> = self.details.iter().map(of).collect::<Option<_>>()?;
        let sum = Amount::sum(amounts.iter().copied(), total.currency()).ok()?;
        (sum == total).then_some(amounts)
    }

    fn movement(
        &self,
        position: u32,
        (booking, value): (Date, Date),
        amount: Amount,
        details: Option<Details>,
    ) -> Movement {
        let mut movement = Movement::new(position, booking, value, amount);
        movement.references.clone_from(&self.references);
        movement.bank_code.clone_from(&self.code);
        if let Some(details) = details {
            for reference in &details.references {
                text::add_reference(&mut movement.references, reference);
            }
            // Who paid stays so when the payment is reversed, though the money comes back.
            let paid_by_us = (amount.minor() < 0) != self.reversal;
            let other = if paid_by_us { details.sides.creditor } else { details.sides.debtor };
            movement.counterparty_name = other.name.as_deref().and_then(text::short);
            movement.counterparty_iban = other.account.as_deref().and_then(iban::verified);
            if let (None, Some(account)) = (&movement.counterparty_iban, other.account) {
                text::add_reference(&mut movement.references, &account);
            }
            movement.description = details.text;
        } else {
            // A batch that cannot be split has the texts of all that is in it.
            for details in &self.details {
                add_text(&mut movement.description, &details.text);
            }
        }
        add_text(&mut movement.description, &self.text);
        movement.description = text::description(&movement.description);
        movement
    }
}

fn day(walk: &mut Walk<'_>) -> Result<Option<Date>, ReadError> {
    let mut day = None;
    while let Some(name) = walk.next()? {
        match name {
            "Dt" | "DtTm" => {
                let text = walk.text()?;
                day = Some(iso(text.trim()).ok_or_else(|| walk.wrong("a date YYYY-MM-DD"))?);
            }
            _ => walk.skip()?,
        }
    }
    Ok(day)
}
