//! What kind of account it is, by its code.

use thiserror::Error;

use super::AccountCode;

/// What an account counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccountType {
    /// What the company has: `asset`
    Asset,
    /// What it owes: `liability`
    Liability,
    /// What is left to its owners: `equity`
    Equity,
    /// What it earns in a year: `income`
    Income,
    /// What it uses up in a year: `expense`
    Expense,
}

svc_core::wire_names!(AccountType {
    Asset = "asset",
    Liability = "liability",
    Equity = "equity",
    Income = "income",
    Expense = "expense",
});

/// Only accounts of groups 1, 4 and 5 can be of another type than their code says.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("only an account of group 1, 4 or 5 can have another type than {of_code}, which its code says")]
pub struct OverrideError {
    /// The type that the code says.
    pub of_code: AccountType,
}

impl AccountType {
    /// The type that the first digits of a code say: the longest of the known beginnings decides.
    #[must_use]
    pub fn of(code: AccountCode) -> Self {
        // Each of the nine groups is among them.
        let known = BEGINNINGS.iter().filter(|(digits, _)| code.starts_with(digits));
        let longest = known.max_by_key(|(digits, _)| digits.len());
        longest.map_or(Self::Equity, |(_, account_type)| *account_type)
    }

    /// The type of an account for which this one was `wanted`.
    ///
    /// Groups 1, 4 and 5 mix what is owned, owed and left, so that a company may know better; the other groups
    /// decide by their first digit alone, and what closes a year relies on that.
    ///
    /// # Errors
    /// [`OverrideError`] when another type is wanted in one of the other groups.
    pub fn overridden(code: AccountCode, wanted: Option<Self>) -> Result<Self, OverrideError> {
        let of_code = Self::of(code);
        match wanted {
            Some(wanted) if wanted != of_code => {
                let balance = matches!(wanted, Self::Asset | Self::Liability | Self::Equity);
                let free = matches!(code.group(), 1 | 4 | 5) && balance;
                if free { Ok(wanted) } else { Err(OverrideError { of_code }) }
            }
            Some(_) | None => Ok(of_code),
        }
    }

    /// Whether a year ends with this type at zero: its balance becomes the result of the year.
    #[must_use]
    pub const fn is_result(self) -> bool {
        match self {
            Self::Income | Self::Expense => true,
            Self::Asset | Self::Liability | Self::Equity => false,
        }
    }
}

/// What codes begin with, and what their accounts are then: the structure of the Plan General de Contabilidad
/// (Real Decreto 1514/2007 and 1515/2007, fourth and fifth part).
///
/// Groups 8 and 9 count what goes past the result straight into equity; charts for small companies leave them out.
const BEGINNINGS: &[(&str, AccountType)] = &[
    ("1", AccountType::Equity),
    ("14", AccountType::Liability),
    ("15", AccountType::Liability),
    ("16", AccountType::Liability),
    ("17", AccountType::Liability),
    ("18", AccountType::Liability),
    // Shares that count as debts, and who subscribed them.
    ("195", AccountType::Liability),
    ("197", AccountType::Liability),
    ("199", AccountType::Liability),
    ("2", AccountType::Asset),
    ("3", AccountType::Asset),
    ("4", AccountType::Asset),
    ("40", AccountType::Liability),
    ("407", AccountType::Asset),
    ("41", AccountType::Liability),
    ("438", AccountType::Liability),
    ("465", AccountType::Liability),
    ("466", AccountType::Liability),
    ("475", AccountType::Liability),
    ("476", AccountType::Liability),
    ("477", AccountType::Liability),
    ("479", AccountType::Liability),
    ("485", AccountType::Liability),
    ("499", AccountType::Liability),
    ("5", AccountType::Asset),
    ("50", AccountType::Liability),
    ("51", AccountType::Liability),
    ("52", AccountType::Liability),
    // The owner of a business without legal form draws and pays in here; 557 is paid out of the year's result.
    ("550", AccountType::Equity),
    ("557", AccountType::Equity),
    ("55", AccountType::Liability),
    ("558", AccountType::Asset),
    ("560", AccountType::Liability),
    ("561", AccountType::Liability),
    ("568", AccountType::Liability),
    ("569", AccountType::Liability),
    ("585", AccountType::Liability),
    ("586", AccountType::Liability),
    ("587", AccountType::Liability),
    ("588", AccountType::Liability),
    ("589", AccountType::Liability),
    ("6", AccountType::Expense),
    ("7", AccountType::Income),
    ("8", AccountType::Equity),
    ("9", AccountType::Equity),
];
