//! Sealing records onto each other, and finding the one that does not fit.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use thiserror::Error;
use zeroize::Zeroizing;

use super::{Actor, Entry, Record, Who};
use crate::hex::Hex;

/// HMAC-SHA-256 over a record and the seal before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seal {
    /// Id of the key that made it.
    pub key: u32,
    /// The code.
    pub code: [u8; 32],
}

impl Seal {
    /// What the first record of a company is sealed onto.
    const NONE: [u8; 32] = [0; 32];
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The code in hexadecimal.
impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Hex(&self.code), f)
    }
}

/// The newest record of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its number.
    pub number: u64,
    /// Its seal.
    pub seal: Seal,
}

/// A key that seals are made with.
#[derive(Clone)]
pub struct ChainKey {
    id: u32,
    key: Zeroizing<[u8; 32]>,
}

impl ChainKey {
    /// Wraps a key.
    #[must_use]
    pub fn new(id: u32, key: [u8; 32]) -> Self {
        Self { id, key: Zeroizing::new(key) }
    }

    fn seal(&self, previous: &[u8; 32], number: u64, entry: &Entry) -> Seal {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.key.as_slice()).expect("HMAC takes keys of any length");
        mac.update(previous);
        mac.update(&number.to_be_bytes());
        write(&mut mac, entry);
        Seal { key: self.id, code: mac.finalize().into_bytes().into() }
    }
}

impl fmt::Debug for ChainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChainKey({})", self.id)
    }
}

/// The key that seals new records, and older ones that present records were sealed with.
#[derive(Clone, Debug)]
pub struct ChainKeys {
    current: ChainKey,
    older: Vec<ChainKey>,
}

/// Where a chain stops being the one that was written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// A number is missing, double or out of order.
    #[error("record {expected} is missing: record {found} stands in its place")]
    Number {
        /// The number that should follow.
        expected: u64,
        /// The number that follows.
        found: u64,
    },
    /// The content of the record, or of one before it, is not what was sealed.
    #[error("record {number} is not what was sealed")]
    Seal {
        /// Its number.
        number: u64,
    },
    /// The key that sealed the record is not among the keys given.
    #[error("record {number} was sealed with key {key}, which is not at hand")]
    UnknownKey {
        /// Its number.
        number: u64,
        /// Id of the key.
        key: u32,
    },
    /// The records end before or after the head that the store remembers.
    #[error("the records end at {found:?}, but the head is record {expected}")]
    Cut {
        /// The number of the head.
        expected: u64,
        /// The number of the last record.
        found: Option<u64>,
    },
}

/// How far a verification has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk(Option<Head>);

impl Walk {
    /// Behind a record that was verified before.
    pub(super) const fn at(head: Head) -> Self {
        Self(Some(head))
    }

    /// The last record that fits; `None` before the first one.
    #[must_use]
    pub const fn head(&self) -> Option<Head> {
        self.0
    }

    /// The number of the last record that fits; 0 before the first one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.0.map_or(0, |head| head.number)
    }

    /// Ends the walk at the head that the store remembers apart from the records.
    ///
    /// # Errors
    /// [`Broken::Cut`] when the records end elsewhere, [`Broken::Seal`] when the seals differ.
    pub fn end_at(self, head: Head) -> Result<(), Broken> {
        match self.0 {
            Some(last) if last.number == head.number && last.seal == head.seal => Ok(()),
            Some(last) if last.number == head.number => Err(Broken::Seal { number: head.number }),
            last => Err(Broken::Cut { expected: head.number, found: last.map(|last| last.number) }),
        }
    }
}

impl ChainKeys {
    /// One key in use, and the ones before it.
    #[must_use]
    pub fn new(current: ChainKey, older: Vec<ChainKey>) -> Self {
        Self { current, older }
    }

    /// The record that follows `head` in the chain of the entry's company.
    #[must_use]
    pub fn seal(&self, head: Option<Head>, entry: Entry) -> Record {
        let number = head.map_or(1, |head| head.number.saturating_add(1));
        let previous = head.map_or(Seal::NONE, |head| head.seal.code);
        let seal = self.current.seal(&previous, number, &entry);
        Record { number, entry, seal }
    }

    /// Goes on with a verification; the records of one company, in their order.
    ///
    /// # Errors
    /// [`Broken`] at the first record that does not fit.
    pub fn verify(&self, mut walk: Walk, records: &[Record]) -> Result<Walk, Broken> {
        for record in records {
            let expected = walk.number().saturating_add(1);
            if record.number != expected {
                return Err(Broken::Number { expected, found: record.number });
            }
            let key = std::iter::once(&self.current).chain(&self.older).find(|key| key.id == record.seal.key);
            let number = record.number;
            let key = key.ok_or(Broken::UnknownKey { number, key: record.seal.key })?;
            let previous = walk.0.map_or(Seal::NONE, |head| head.seal.code);
            let seal = key.seal(&previous, number, &record.entry);
            if !bool::from(seal.code.ct_eq(&record.seal.code)) {
                return Err(Broken::Seal { number });
            }
            walk = Walk(Some(Head { number, seal }));
        }
        Ok(walk)
    }
}

/// Writes an entry so that no two entries are written alike: each part with its length before it.
fn write(mac: &mut Hmac<Sha256>, entry: &Entry) {
    let Entry { account, at, actor, action, subject, before, after } = entry;
    let Actor { who, from, request } = actor;
    let (kind, first, second) = match who {
        Who::Token(token) => ("token", token.to_string(), String::new()),
        Who::Person { user, session } => ("person", user.to_string(), session.to_string()),
        Who::Operator => ("operator", String::new(), String::new()),
        Who::Service(reason) => ("service", reason.to_string(), String::new()),
    };
    let optional = |text: Option<String>| text.map_or_else(String::new, |text| format!("={text}"));
    let parts = [
        account.to_string(),
        at.unix_micros().to_string(),
        kind.to_owned(),
        first,
        second,
        optional(from.map(|from| from.to_string())),
        optional(request.map(|request| request.to_string())),
        action.name().to_owned(),
        subject.clone(),
        optional(before.as_ref().map(|details| details.as_str().to_owned())),
        optional(after.as_ref().map(|details| details.as_str().to_owned())),
    ];
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::audit::{Action, Details};
    use crate::clock::Timestamp;
    use crate::id::{AccountId, TypedId};

    fn keys() -> ChainKeys {
        ChainKeys::new(ChainKey::new(2, [2; 32]), vec![ChainKey::new(1, [1; 32])])
    }

    fn entry(number: u64) -> Entry {
        Entry {
            account: AccountId::from_uuid(Uuid::from_u128(1)),
            at: Timestamp::from_unix_seconds(1_767_225_600),
            actor: Actor::OPERATOR,
            action: Action::TokenDisable,
            subject: format!("tok_{number}"),
            before: Some(Details::of(&serde_json::json!({"state": "active"}))),
            after: Some(Details::of(&serde_json::json!({"state": "disabled"}))),
        }
    }

    fn chain(keys: &ChainKeys, length: u64) -> Vec<Record> {
        let mut records: Vec<Record> = Vec::new();
        for number in 1..=length {
            let head = records.last().map(|last| Head { number: last.number, seal: last.seal });
            records.push(keys.seal(head, entry(number)));
        }
        records
    }

    fn head(record: &Record) -> Head {
        Head { number: record.number, seal: record.seal }
    }

    #[test]
    fn an_untouched_chain_verifies_in_pieces_and_as_a_whole() {
        let (keys, records) = (keys(), chain(&keys(), 9));
        let whole = keys.verify(Walk::default(), &records).expect("untouched");
        let (first, second) = records.split_at(4);
        let half = keys.verify(Walk::default(), first).expect("untouched");
        assert_eq!(keys.verify(half, second), Ok(whole));
        assert_eq!(whole.number(), 9);
        assert_eq!(whole.end_at(head(&records[8])), Ok(()));
    }

    #[test]
    fn records_sealed_before_a_change_of_key_still_verify() {
        let old = ChainKeys::new(ChainKey::new(1, [1; 32]), Vec::new());
        let mut records = chain(&old, 2);
        records.push(keys().seal(Some(head(&records[1])), entry(3)));
        assert_eq!(keys().verify(Walk::default(), &records).map(|walk| walk.number()), Ok(3));
        let broken = Broken::UnknownKey { number: 3, key: 2 };
        assert_eq!(old.verify(Walk::default(), &records), Err(broken));
    }

    #[test]
    fn a_chain_made_without_the_key_does_not_verify() {
        let forged = chain(&ChainKeys::new(ChainKey::new(2, [7; 32]), Vec::new()), 3);
        assert_eq!(keys().verify(Walk::default(), &forged), Err(Broken::Seal { number: 1 }));
    }

    #[test]
    fn a_tail_that_was_cut_off_does_not_reach_the_head() {
        let records = chain(&keys(), 5);
        let cut = keys().verify(Walk::default(), &records[..3]).expect("what is left fits");
        assert_eq!(cut.end_at(head(&records[4])), Err(Broken::Cut { expected: 5, found: Some(3) }));
        assert_eq!(Walk::default().end_at(head(&records[4])), Err(Broken::Cut { expected: 5, found: None }));
    }

    proptest! {
        #[test]
        fn any_change_of_a_record_is_found_at_that_record(length in 1_u64..12, at in any::<prop::sample::Index>(), what in 0..7) {
            let mut records = chain(&keys(), length);
            let at = at.index(records.len());
            let record = &mut records[at];
            match what {
                0 => record.entry.subject.push('x'),
                1 => record.entry.at = record.entry.at.plus(std::time::Duration::from_micros(1)),
                2 => record.entry.action = Action::TokenEnable,
                3 => record.entry.before = None,
                4 => record.entry.actor.who = Who::Service("another".into()),
                5 => record.entry.account = AccountId::from_uuid(Uuid::from_u128(2)),
                _ => record.seal.code[31] ^= 1,
            }
            let number = record.number;
            prop_assert_eq!(keys().verify(Walk::default(), &records), Err(Broken::Seal { number }));
        }

        #[test]
        fn a_record_that_was_taken_out_or_moved_is_missed(length in 2_u64..12, at in any::<prop::sample::Index>()) {
            let records = chain(&keys(), length);
            let at = at.index(records.len() - 1);
            let mut without = records.clone();
            without.remove(at);
            let number = records[at].number;
            let missing = Broken::Number { expected: number, found: number + 1 };
            prop_assert_eq!(keys().verify(Walk::default(), &without), Err(missing.clone()));
            let mut swapped = records;
            swapped.swap(at, at + 1);
            prop_assert_eq!(keys().verify(Walk::default(), &swapped), Err(missing));
        }
    }
}
