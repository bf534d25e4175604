//! Which accounts a line counts.

use std::str::FromStr;

use svc_core::money::Amount;

use super::AccountType;
use crate::books::account::AccountCode;

/// Some accounts, and the line that counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    accounts: Accounts,
    line: &'static str,
}

/// Some accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accounts {
    /// Those whose codes begin with these digits.
    Under { digits: AccountCode, during: While },
    /// Those of a type that no other place counts.
    Rest(AccountType),
}

/// While the balance of an account is on this side; none is a debit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum While {
    Either,
    Debit,
    Credit,
}

impl Place {
    /// Reads a cell such as `430`, `551+`, `551-` or `*asset`; `None` for another form.
    pub(super) fn read(text: &str, line: &'static str) -> Option<Self> {
        if let Some(name) = text.strip_prefix('*') {
            return Some(Self { accounts: Accounts::Rest(AccountType::from_str(name).ok()?), line });
        }
        let (digits, during) = match (text.strip_suffix('+'), text.strip_suffix('-')) {
            (Some(digits), _) => (digits, While::Debit),
            (None, Some(digits)) => (digits, While::Credit),
            (None, None) => (text, While::Either),
        };
        Some(Self { accounts: Accounts::Under { digits: digits.parse().ok()?, during }, line })
    }

    /// The key of the line.
    pub(super) const fn line(&self) -> &'static str {
        self.line
    }

    /// What the codes begin with; nothing for the rest of a type.
    pub(super) fn digits(&self) -> &str {
        match &self.accounts {
            Accounts::Under { digits, .. } => digits.as_str(),
            Accounts::Rest(_) => "",
        }
    }

    /// Whether it counts an account with this balance by its code.
    pub(super) fn holds(&self, code: AccountCode, balance: Amount) -> bool {
        match self.accounts {
            Accounts::Under { digits, during } => code.is_under(digits) && during.holds(balance),
            Accounts::Rest(_) => false,
        }
    }

    /// Whether it counts what is left of this type.
    pub(super) fn rests(&self, account_type: AccountType) -> bool {
        self.accounts == Accounts::Rest(account_type)
    }

    /// Whether no account is of both: other codes, or the same ones on different sides.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let (Accounts::Under { digits, during }, Accounts::Under { digits: others, during: theirs }) =
            (self.accounts, other.accounts)
        else {
            return self.accounts != other.accounts;
        };
        digits != others
            || matches!((during, theirs), (While::Debit, While::Credit) | (While::Credit, While::Debit))
    }
}

impl While {
    fn holds(self, balance: Amount) -> bool {
        match self {
            Self::Either => true,
            Self::Debit => balance.minor() >= 0,
            Self::Credit => balance.minor() < 0,
        }
    }
}
