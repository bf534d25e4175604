//! What a box was computed from.

use svc_core::money::Amount;

use super::Computation;
use super::figures::ACCOUNT;
use crate::books::report::TaggedEntry;

/// What a box was computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnSource {
    /// A tax tag of a posted entry.
    Tag(TaggedEntry),
    /// What an account moved in the days that the return reads: debits less credits.
    Account {
        /// The code of the account.
        code: String,
        /// The balance.
        balance: Amount,
    },
}

impl Computation {
    /// What a box is computed from by the books as they are, in their order: for a formula that of the boxes that it reads, and
    /// nothing for what a person says or an earlier return carries over. `None` when the form has no such box.
    #[must_use]
    pub fn sources(&self, code: &str) -> Option<Vec<ReturnSource>> {
        self.computed.value(code)?;
        let source = |reference: &svc_tax_forms::Reference| match reference.0.strip_prefix(ACCOUNT) {
            Some(code) => {
                let fact = self.ledger.iter().find(|fact| fact.account == code)?;
                Some(ReturnSource::Account { code: code.to_owned(), balance: fact.balance })
            }
            None => self.tags.get(reference).cloned().map(ReturnSource::Tag),
        };
        Some(self.computed.sources(code).into_iter().filter_map(source).collect())
    }
}
