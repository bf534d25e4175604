//! Norma 43 of the Spanish banking association (AEB): records of 80 characters.
//!
//! One file has several accounts. Each begins with record 11 and ends with record 33, which counts and sums what is
//! between them: movements (22), each with up to five records of text (23) and one of its amount in another currency
//! (24). Record 88 ends the file.
//!
//! Nothing in the format says how it is encoded. ISO-8859-1 is the rule; what is valid UTF-8 is taken for that, and the
//! 80 characters are characters then.

mod concept;
mod header;
mod movement;
mod record;
mod trailer;

use self::header::Header;
use self::record::{Record, records};
use self::trailer::{End, Sums};
use crate::amount::check_closing;
use crate::error::{Place, ReadError};
use crate::model::{Movement, Statement};
use crate::{MOST_MOVEMENTS, text};

/// Most records of text behind a movement.
const MOST_TEXTS: u32 = 5;

/// Whether the first line is a record 11. Some senders cut off trailing spaces, so it may be shorter.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| matches!(byte, b'\r' | b'\n')).find(|line| !line.trim_ascii().is_empty());
    let line = line.unwrap_or_default();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length = text::decoded(line.trim_ascii_end()).chars().count();
    line.starts_with(b"11") && digits >= 20 && (50..=80).contains(&length)
}

/// Reads every account of a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Statement>, ReadError> {
    let text = text::decoded(bytes);
    let mut file = File::default();
    for record in records(&text) {
        file.take(&record?)?;
    }
    file.statements()
}

/// What was read so far.
#[derive(Default)]
struct File {
    statements: Vec<Statement>,
    open: Option<Account>,
    movements: usize,
    records: u32,
    end: End,
}

/// The account between its records 11 and 33.
struct Account {
    header: Header,
    statement: Statement,
    sums: Sums,
    /// The texts of the last movement, as they stand side by side.
    texts: String,
    text_records: u32,
}

impl File {
    fn take(&mut self, record: &Record) -> Result<(), ReadError> {
        if self.end != End::Missing {
            return Err(ReadError::malformed(record.place("code"), "nothing after record 88"));
        }
        match record.code().as_str() {
            "11" => self.header(record)?,
            "22" => self.movement(record)?,
            "23" => self.account(record)?.text(record)?,
            "24" => self.account(record)?.equivalent(record)?,
            "33" => self.trailer(record)?,
            "88" => self.last(record)?,
            _ => return Err(ReadError::malformed(record.place("code"), "11, 22, 23, 24, 33 or 88")),
        }
        self.records = self.records.saturating_add(1);
        Ok(())
    }

    fn account(&mut self, record: &Record) -> Result<&mut Account, ReadError> {
        self.open.as_mut().ok_or_else(|| ReadError::malformed(record.place("code"), "record 11 before it"))
    }

    fn header(&mut self, record: &Record) -> Result<(), ReadError> {
        if self.open.is_some() {
            return Err(ReadError::malformed(record.place("code"), "record 33 before another account"));
        }
        let header = Header::read(record)?;
        self.open = Some(Account {
            statement: header.statement(),
            header,
            sums: Sums::default(),
            texts: String::new(),
            text_records: 0,
        });
        Ok(())
    }

    fn movement(&mut self, record: &Record) -> Result<(), ReadError> {
        if self.movements == MOST_MOVEMENTS {
            return Err(ReadError::TooManyMovements);
        }
        self.movements = self.movements.saturating_add(1);
        let account = self.account(record)?;
        account.describe();
        let (movement, side) = movement::read(record, account.header.currency)?;
        account.sums.add(side, movement.amount);
        account.statement.movements.push(movement);
        Ok(())
    }

    fn trailer(&mut self, record: &Record) -> Result<(), ReadError> {
        self.account(record)?.describe();
        let Some(Account { header, mut statement, sums, .. }) = self.open.take() else { return Ok(()) };
        statement.closing = Some(trailer::check(record, &header, &sums)?);
        check_closing(&statement, record.place("closing balance"))?;
        self.statements.push(statement);
        Ok(())
    }

    fn last(&mut self, record: &Record) -> Result<(), ReadError> {
        if self.open.is_some() {
            return Err(ReadError::malformed(record.place("code"), "record 33 before it"));
        }
        self.end = trailer::count(record, self.records)?;
        Ok(())
    }

    fn statements(mut self) -> Result<Vec<Statement>, ReadError> {
        if self.open.is_some() || self.statements.is_empty() {
            let place = Place::Record { number: self.records.saturating_add(1), field: "code" };
            return Err(ReadError::malformed(place, "records 11 and 33: the file was cut off"));
        }
        if let Some(statement) = self.statements.last_mut() {
            statement.warnings.extend(self.end.warning());
        }
        Ok(self.statements)
    }
}

impl Account {
    fn last(&mut self, record: &Record) -> Result<&mut Movement, ReadError> {
        let last = self.statement.movements.last_mut();
        last.ok_or_else(|| ReadError::malformed(record.place("code"), "record 22 before it"))
    }

    fn text(&mut self, record: &Record) -> Result<(), ReadError> {
        self.last(record)?;
        if self.text_records == MOST_TEXTS {
            return Err(ReadError::malformed(record.place("code"), "at most five records 23 for a movement"));
        }
        record.digits(3, 4, "number of the text")?;
        self.text_records = self.text_records.saturating_add(1);
        // Many banks let a text run on from one field into the next, so the columns are kept as they stand.
        self.texts.push_str(&record.text(5, 80));
        Ok(())
    }

    /// The amount in another currency is information: the account moved by the amount of record 22.
    fn equivalent(&mut self, record: &Record) -> Result<(), ReadError> {
        self.last(record)?;
        record.currency(5, 7, "currency of the equivalent")?;
        record.digits(8, 21, "equivalent")?;
        Ok(())
    }

    /// Gives the last movement its text: that of records 23, else the name of its concept.
    fn describe(&mut self) {
        self.text_records = 0;
        let texts = std::mem::take(&mut self.texts);
        let Some(last) = self.statement.movements.last_mut() else { return };
        if last.description.is_empty() {
            last.description = text::description(&texts);
        }
        if last.description.is_empty() {
            let code = last.bank_code.as_deref().and_then(|code| code.get(0..2));
            code.and_then(concept::name).unwrap_or_default().clone_into(&mut last.description);
        }
    }
}
