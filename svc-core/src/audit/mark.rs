//! A record of a log by its company, number and seal: `acc_…=120:9f86d0…`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Head;
use crate::id::AccountId;

/// Hexadecimal digits of a seal.
const DIGITS: usize = 64;

/// A record as it is kept apart from the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The company.
    pub account: AccountId,
    /// The record's number.
    pub number: u64,
    /// Its seal, in lower-case hexadecimal digits.
    pub seal: String,
}

impl Mark {
    /// The newest record of a company.
    #[must_use]
    pub fn of(account: AccountId, head: Head) -> Self {
        Self { account, number: head.number, seal: head.seal.to_string() }
    }

    /// Whether this record is the one that was marked.
    #[must_use]
    pub fn fits(&self, head: Head) -> bool {
        self.number == head.number && self.seal == head.seal.to_string()
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}:{}", self.account, self.number, self.seal)
    }
}

/// The text is no mark.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("expected ACCOUNT=NUMBER:SEAL, as `svc-server audit heads` prints it")]
pub struct UnknownMark;

impl FromStr for Mark {
    type Err = UnknownMark;

    fn from_str(text: &str) -> Result<Self, UnknownMark> {
        let read = || {
            let (account, record) = text.split_once('=')?;
            let (number, seal) = record.split_once(':')?;
            let seal = seal.to_ascii_lowercase();
            let is_seal = seal.len() == DIGITS && seal.bytes().all(|digit| digit.is_ascii_hexdigit());
            let number = number.parse().ok().filter(|number| *number > 0)?;
            is_seal.then_some(Self { account: account.parse().ok()?, number, seal })
        };
        read().ok_or(UnknownMark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_is_printed_and_nothing_else() {
        let account = "acc_00000000000000000000000001";
        let text = format!("{account}=120:{}", "9f".repeat(32));
        let mark: Mark = text.parse().expect("valid");
        assert_eq!((mark.number, mark.to_string()), (120, text.clone()));
        assert_eq!(text.replace("9f", "9F").parse(), Ok(mark));
        for wrong in ["", "acc_1=1:00", &text[1..], &text[..text.len() - 1], &text.replace("=120", "=0")] {
            assert!(wrong.parse::<Mark>().is_err(), "{wrong}");
        }
    }
}
