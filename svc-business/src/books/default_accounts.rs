//! The accounts that entries use when nothing else is said.

mod purpose;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::error::Validator;
use thiserror::Error;

pub use self::purpose::Purpose;
use crate::books::account::{AccountCode, CodeLength};
use crate::books::chart::Chart;

/// The accounts of some books by what they are for: an object with the names of [`Purpose`] on the wire.
///
/// Books that started from an empty chart have none until the company names them; an entry that needs one that is
/// missing is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DefaultAccounts(BTreeMap<Purpose, AccountCode>);

/// The books have no default account that an entry needs: `default_account_missing`, a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the books have no default account for {purpose}")]
pub struct MissingAccount {
    /// What it is needed for.
    pub purpose: Purpose,
}

impl DefaultAccounts {
    /// Those of books that start from this chart, with codes of this length.
    #[must_use]
    pub fn of(chart: Chart, length: CodeLength) -> Self {
        match chart {
            Chart::EsPgcPymes => Self(
                Purpose::ALL
                    .into_iter()
                    .filter_map(|purpose| {
                        let code: AccountCode = purpose.es_pgc_pymes().parse().ok()?;
                        Some((purpose, code.padded(length).ok()?))
                    })
                    .collect(),
            ),
            Chart::Empty => Self::default(),
        }
    }

    /// The account for this purpose.
    #[must_use]
    pub fn find(&self, purpose: Purpose) -> Option<AccountCode> {
        self.0.get(&purpose).copied()
    }

    /// The account for this purpose, which an entry needs.
    ///
    /// # Errors
    /// [`MissingAccount`].
    pub fn need(&self, purpose: Purpose) -> Result<AccountCode, MissingAccount> {
        self.find(purpose).ok_or(MissingAccount { purpose })
    }

    /// The same with another account for this purpose, or none.
    #[must_use]
    pub fn with(mut self, purpose: Purpose, account: Option<AccountCode>) -> Self {
        match account {
            Some(account) => self.0.insert(purpose, account),
            None => self.0.remove(&purpose),
        };
        self
    }

    /// The accounts with what they are for.
    pub fn iter(&self) -> impl Iterator<Item = (Purpose, AccountCode)> {
        self.0.iter().map(|(purpose, code)| (*purpose, *code))
    }

    /// Judges that each is an account that takes entries; `postable` says whether one does.
    pub fn judge(&self, validator: &mut Validator, field: &str, postable: impl Fn(AccountCode) -> bool) {
        for (purpose, account) in self.iter() {
            let field = format!("{field}.{purpose}");
            let message = format!("{account} is not an active account of full length");
            validator.require(postable(account), &field, "account_not_postable", message);
        }
    }
}
