//! What a bank account is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId};
use svc_core::money::{Amount, Currency};
use svc_core::pii::Pii;
use svc_core::resource::Version;
use time::Date;

use super::banks;
use crate::books::account::AccountCode;
use crate::party::{Bic, Extension, Iban};

/// An account at a bank, a cash box, a card, or another place where a company has money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAccount {
    /// Its id.
    pub id: BankAccountId,
    /// The company that has it.
    pub company: AccountId,
    /// What people call it, 1 to 200 characters.
    pub name: String,
    /// What it is.
    pub kind: BankAccountType,
    /// Its number; one at a bank has it.
    pub iban: Option<Pii<Iban>>,
    /// Whether another active account may have the same number: its writer was not told.
    pub shares_iban: bool,
    /// The code of the bank.
    pub bic: Option<Bic>,
    /// The name of the bank as it was written.
    pub bank_name: Option<String>,
    /// The currency in which it is held.
    pub currency: Currency,
    /// The account of the ledger that counts it. One that moved here with a company that was absorbed has none until it
    /// is changed.
    pub account: Option<AccountCode>,
    /// What it held when the service began to count it.
    pub opening: Option<OpeningBalance>,
    /// Whether it is in use.
    pub status: BankAccountStatus,
    /// Whether it is the one that is taken where none is named.
    pub is_default: bool,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What an account held at the end of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningBalance {
    /// How much, below zero where it was overdrawn.
    pub balance: Amount,
    /// The day.
    pub date: Date,
}

/// What a bank account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankAccountType {
    /// An account at a bank: `bank`
    Bank,
    /// Money in a box: `cash`
    Cash,
    /// A card with an account of its own: `card`
    Card,
    /// Anything else, as an account of a payment provider: `other`
    Other,
}

svc_core::wire_names!(BankAccountType { Bank = "bank", Cash = "cash", Card = "card", Other = "other" });

/// Whether a bank account is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BankAccountStatus {
    /// It is: `active`
    #[default]
    Active,
    /// It is no more: `archived`
    Archived,
}

svc_core::wire_names!(BankAccountStatus { Active = "active", Archived = "archived" });

impl BankAccount {
    /// The name of the bank, as it was written or else as the number says it; the latter only to a caller who sees the
    /// number, of which it is a part.
    #[must_use]
    pub fn bank(&self, access: svc_core::pii::PiiAccess) -> Option<&str> {
        let written = self.bank_name.as_deref();
        let known = || {
            let iban = self.iban.as_ref()?.revealed(access.proof()?);
            banks::name(iban.as_str())
        };
        written.or_else(known)
    }
}
