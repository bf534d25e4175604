//! By which text movements are taken for movements of one kind.

use std::fmt;

use super::{BankMovement, Target};
use crate::books::account::AccountCode;
use crate::party::search_key;

/// Characters at most: what tells kinds apart comes first.
const LONGEST: usize = 200;

/// The words of a bank about a movement, without case, accents, and words that have a digit: these are of one movement, such as
/// dates and numbers of receipts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextKey(String);

impl TextKey {
    /// That of a movement; `None` where the bank said nothing but numbers.
    #[must_use]
    pub fn of(movement: &BankMovement) -> Option<Self> {
        let key = search_key(&movement.description);
        let words: Vec<&str> =
            key.split(' ').filter(|word| !word.chars().any(|letter| letter.is_ascii_digit())).collect();
        let key: String = words.join(" ").chars().take(LONGEST).collect();
        key.chars().any(char::is_alphabetic).then_some(Self(key))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl BankMovement {
    /// The account of the ledger that all of it was booked on.
    #[must_use]
    pub fn booked_on(&self) -> Option<AccountCode> {
        let [allocation] = self.state.reconciliation()?.allocations.as_slice() else { return None };
        if let Target::Account { account, .. } = allocation.target { Some(account) } else { None }
    }
}
