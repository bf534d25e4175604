//! One transaction of an entry (`TxDtls`).

use svc_core::money::{Amount, Currency};

use super::balance::{detail_amount, is_debit};
use super::party::{Sides, sides};
use super::walk::Walk;
use crate::error::ReadError;
use crate::text;

/// What the details of a transaction say.
#[derive(Default)]
pub(super) struct Details {
    /// Its size, if that is in the currency of the account.
    pub(super) size: Option<Amount>,
    /// Its side, where it has one of its own.
    pub(super) debit: Option<bool>,
    pub(super) references: Vec<String>,
    pub(super) sides: Sides,
    pub(super) text: String,
}

impl Details {
    pub(super) fn read(walk: &mut Walk<'_>, currency: Currency) -> Result<Self, ReadError> {
        let mut read = Self::default();
        // `AmtDtls` may repeat what `Amt` says, in the currency of the payer.
        let mut transaction = None;
        while let Some(name) = walk.next()? {
            match name {
                "Refs" => read.references(walk)?,
                "Amt" => read.size = detail_amount(walk, currency)?,
                "AmtDtls" => transaction = transaction_amount(walk, currency)?,
                "CdtDbtInd" => read.debit = Some(is_debit(walk)?),
                "RltdPties" => read.sides = sides(walk)?,
                "RmtInf" => read.remittance(walk)?,
                "AddtlTxInf" => {
                    let more = walk.text()?;
                    add_text(&mut read.text, &more);
                }
                _ => walk.skip()?,
            }
        }
        read.size = read.size.or(transaction);
        read.text = text::description(&read.text);
        Ok(read)
    }

    fn references(&mut self, walk: &mut Walk<'_>) -> Result<(), ReadError> {
        while let Some(name) = walk.next()? {
            match name {
                "EndToEndId" | "TxId" | "MndtId" | "InstrId" => {
                    let reference = walk.text()?;
                    text::add_reference(&mut self.references, &reference);
                }
                _ => walk.skip()?,
            }
        }
        Ok(())
    }

    fn remittance(&mut self, walk: &mut Walk<'_>) -> Result<(), ReadError> {
        while let Some(name) = walk.next()? {
            match name {
                "Ustrd" => {
                    let more = walk.text()?;
                    add_text(&mut self.text, &more);
                }
                "Strd" => {
                    if let Some(reference) = walk.find("Ref", &["CdtrRefInf"])? {
                        text::add_reference(&mut self.references, &reference);
                    }
                }
                _ => walk.skip()?,
            }
        }
        Ok(())
    }
}

/// Adds a text behind others, unless it stands there already.
pub(super) fn add_text(text: &mut String, more: &str) {
    let more = text::description(more);
    if text.len() < 4 * crate::LONGEST_DESCRIPTION && !text.contains(&more) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&more);
    }
}

fn transaction_amount(walk: &mut Walk<'_>, currency: Currency) -> Result<Option<Amount>, ReadError> {
    let mut size = None;
    while let Some(name) = walk.next()? {
        if name != "TxAmt" {
            walk.skip()?;
            continue;
        }
        while let Some(name) = walk.next()? {
            if name == "Amt" {
                size = detail_amount(walk, currency)?;
            } else {
                walk.skip()?;
            }
        }
    }
    Ok(size)
}
