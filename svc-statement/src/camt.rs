//! camt.053 of ISO 20022: the statement that a bank sends to its customer.
//!
//! The file is read from front to end and never held as a tree, for large companies have 100,000 entries in one.
//! Versions .02 and .08 differ in few places (status, names of parties, amounts of details); both forms are read
//! wherever they stand.

mod balance;
mod codes;
mod details;
mod entry;
mod names;
mod party;
mod walk;

use svc_core::money::Currency;

use self::balance::Balances;
use self::walk::Walk;
use crate::amount::check_closing;
use crate::error::{Place, ReadError};
use crate::model::{AccountRef, Statement, Warning};
use crate::{MOST_MOVEMENTS, date, iban, text};

/// What the namespaces of the versions that are read end with.
const VERSIONS: [&str; 2] = ["camt.053.001.02", "camt.053.001.08"];

/// Whether a file begins as XML does.
pub(crate) fn begins_as_xml(bytes: &[u8]) -> bool {
    text::head(bytes).trim_start().starts_with('<')
}

/// Whether a file is camt.053 of any version.
pub(crate) fn is_statement(bytes: &[u8]) -> bool {
    Walk::new(&text::head(bytes)).root().is_ok_and(|root| root.namespace.contains("camt.053."))
}

/// Reads every statement of a message.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Statement>, ReadError> {
    let text = text::decoded(bytes);
    let mut walk = Walk::new(&text);
    let root = walk.root()?;
    if !VERSIONS.iter().any(|version| root.namespace.ends_with(version)) {
        let kind = root.namespace.rsplit(':').next().and_then(text::short);
        let name = || format!("XML that begins with <{}>", text::short(&root.name).unwrap_or_default());
        return Err(ReadError::Unsupported { found: kind.unwrap_or_else(name) });
    }
    let mut statements = Vec::new();
    let mut so_far = SoFar::default();
    while let Some(name) = walk.next()? {
        if name != "BkToCstmrStmt" {
            walk.skip()?;
            continue;
        }
        while let Some(name) = walk.next()? {
            if name == "Stmt" {
                so_far.statements = so_far.statements.saturating_add(1);
                walk.number(so_far.statements);
                statements.push(statement(&mut walk, &mut so_far)?);
            } else {
                walk.skip()?;
            }
        }
    }
    if statements.is_empty() {
        let place = Place::Element("Document/BkToCstmrStmt".to_owned());
        return Err(ReadError::malformed(place, "a statement (Stmt)"));
    }
    Ok(statements)
}

/// What is counted over the whole file.
#[derive(Default)]
struct SoFar {
    statements: u32,
    entries: u32,
    movements: usize,
    /// Bytes of texts that more than one movement has.
    repeated: usize,
}

/// Movements of batches may have so many bytes of the texts of their batches, all together.
const MOST_REPEATED: usize = 64 * 1024 * 1024;

impl SoFar {
    /// Makes room for texts that movements repeat.
    fn repeat(&mut self, bytes: usize) -> bool {
        let repeated = self.repeated.saturating_add(bytes);
        let fits = repeated <= MOST_REPEATED;
        if fits {
            self.repeated = repeated;
        }
        fits
    }

    /// Makes room for a movement.
    fn admit(&mut self) -> Result<(), ReadError> {
        if self.movements == MOST_MOVEMENTS {
            return Err(ReadError::TooManyMovements);
        }
        self.movements = self.movements.saturating_add(1);
        Ok(())
    }
}

fn statement(walk: &mut Walk<'_>, so_far: &mut SoFar) -> Result<Statement, ReadError> {
    let mut read = Statement::empty(AccountRef::default());
    let mut balances = Balances::default();
    let mut pending = 0_u32;
    let place = walk.place();
    while let Some(name) = walk.next()? {
        match name {
            "Acct" => account(walk, &mut read)?,
            "FrToDt" => period(walk, &mut read)?,
            "Bal" => balances.read(walk, &mut read.currency)?,
            "Ntry" => {
                so_far.entries = so_far.entries.saturating_add(1);
                walk.number(so_far.entries);
                if !entry::read(walk, &mut read, so_far)? {
                    pending = pending.saturating_add(1);
                }
            }
            _ => walk.skip()?,
        }
    }
    if read.account == AccountRef::default() {
        return Err(ReadError::malformed(place, "an account (Acct/Id)"));
    }
    (read.opening, read.closing) = balances.ends();
    check_closing(&read, place)?;
    if read.opening.is_none() || read.closing.is_none() {
        read.warnings.push(Warning::NotProven);
    }
    if pending > 0 {
        read.warnings.push(Warning::PendingLeftOut { entries: pending });
    }
    read.period_of_movements();
    Ok(read)
}

fn account(walk: &mut Walk<'_>, read: &mut Statement) -> Result<(), ReadError> {
    while let Some(name) = walk.next()? {
        match name {
            "Id" => {
                let number = party::account_number(walk)?;
                if let Some(number) = &number.iban {
                    read.account.iban = iban::verified(number);
                    if read.account.iban.is_none() {
                        return Err(walk.wrong("an account number with valid check digits in Id/IBAN"));
                    }
                }
                read.account.other = number.other.as_deref().and_then(text::short);
            }
            "Ccy" => {
                let code = walk.text()?;
                agree(&mut read.currency, &code).map_err(|expected| walk.wrong(expected))?;
            }
            "Ownr" => read.holder = party::name(walk)?.as_deref().and_then(text::short),
            _ => walk.skip()?,
        }
    }
    Ok(())
}

/// The currency of the account: as `Acct/Ccy` says, else that of the first amount. All amounts have it.
fn agree(known: &mut Option<Currency>, code: &str) -> Result<Currency, String> {
    let currency: Currency = code.trim().parse().map_err(|_| "an ISO 4217 currency code".to_owned())?;
    match *known {
        Some(known) if known != currency => Err(format!("{known}, the currency of the account")),
        Some(_) | None => {
            *known = Some(currency);
            Ok(currency)
        }
    }
}

fn period(walk: &mut Walk<'_>, read: &mut Statement) -> Result<(), ReadError> {
    while let Some(name) = walk.next()? {
        let day = match name {
            "FrDtTm" | "FrDt" => &mut read.from,
            "ToDtTm" | "ToDt" => &mut read.to,
            _ => {
                walk.skip()?;
                continue;
            }
        };
        let text = walk.text()?;
        *day = Some(date::iso(text.trim()).ok_or_else(|| walk.wrong("a date YYYY-MM-DD"))?);
    }
    Ok(())
}
