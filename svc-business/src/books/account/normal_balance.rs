//! On which side the balance of an account is expected.

use super::{AccountCode, AccountType};

/// The side on which an account grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormalBalance {
    /// `debit` (*debe*)
    Debit,
    /// `credit` (*haber*)
    Credit,
}

svc_core::wire_names!(NormalBalance { Debit = "debit", Credit = "credit" });

impl NormalBalance {
    /// The side of an account with this code and type.
    ///
    /// An account that takes away from its neighbours has the other side: depreciation takes away from what it
    /// depreciates, a return from the sale. Nothing is refused because a balance is on the other side.
    #[must_use]
    pub fn of(code: AccountCode, account_type: AccountType) -> Self {
        let side = match account_type {
            AccountType::Asset | AccountType::Expense => Self::Debit,
            AccountType::Liability | AccountType::Equity | AccountType::Income => Self::Credit,
        };
        let contrary = CONTRARY.iter().any(|(digits, of)| *of == account_type && code.starts_with(digits));
        if contrary { side.opposite() } else { side }
    }

    /// The other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Debit => Self::Credit,
            Self::Credit => Self::Debit,
        }
    }
}

/// Accounts that take away from others of the same type; one whose type was overridden is none of them.
const CONTRARY: &[(&str, AccountType)] = &[
    // What owners have not paid in yet, the company's own shares, losses and dividends on account.
    ("103", AccountType::Equity),
    ("104", AccountType::Equity),
    ("108", AccountType::Equity),
    ("109", AccountType::Equity),
    ("121", AccountType::Equity),
    ("192", AccountType::Equity),
    ("557", AccountType::Equity),
    ("8", AccountType::Equity),
    ("153", AccountType::Liability),
    ("154", AccountType::Liability),
    ("197", AccountType::Liability),
    // Packaging that will go back lessens what is owed, be it to a supplier or by a customer.
    ("406", AccountType::Liability),
    ("4036", AccountType::Liability),
    ("437", AccountType::Asset),
    ("4337", AccountType::Asset),
    ("249", AccountType::Asset),
    ("259", AccountType::Asset),
    ("28", AccountType::Asset),
    ("29", AccountType::Asset),
    ("39", AccountType::Asset),
    ("490", AccountType::Asset),
    ("493", AccountType::Asset),
    ("539", AccountType::Asset),
    ("549", AccountType::Asset),
    ("59", AccountType::Asset),
    ("606", AccountType::Expense),
    ("608", AccountType::Expense),
    ("609", AccountType::Expense),
    ("636", AccountType::Expense),
    ("638", AccountType::Expense),
    ("639", AccountType::Expense),
    ("706", AccountType::Income),
    ("708", AccountType::Income),
    ("709", AccountType::Income),
];
