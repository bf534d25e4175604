//! A bank account as a response carries it.

use std::collections::BTreeMap;

use svc_business::bank::import::LastStatement;
use svc_business::bank::{BankAccount, BankAccountStatus, BankAccountType};
use svc_business::books::account::AccountCode;
use svc_business::party::Bic;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId};
use svc_core::money::Amount;
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

wire_view! {
    /// Where a company has money.
    #[derive(Debug)]
    pub(crate) struct View as "BankAccount" {
        id: BankAccountId,
        object: &'static str => Form::one_of(&["bank_account"]),
        company_id: AccountId,
        version: i64,
        name: String => Form::ANY.example("Main account"),
        r#type: BankAccountType => Form::ANY.example("bank"),
        /// Masked but for the first four and the last four characters.
        iban: Option<Shown<String>>,
        /// The code of the bank.
        bic: Option<String> => Form::ANY.json("null"),
        /// As it was written, or else that of the number, to those who see that.
        bank_name: Option<String> => Form::ANY.example("CaixaBank"),
        /// The currency in which it is held.
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// The account of the ledger that counts it; null for one that came from a company which was absorbed, until it
        /// is changed.
        account_code: Option<AccountCode> => Form::ANY.example("5720001"),
        /// What it held at the end of `openingDate`.
        opening_balance: Option<String> => Form::ANY.example("1210.00"),
        opening_date: Option<String> => Form::DATE,
        status: BankAccountStatus => Form::ANY.example("active"),
        /// Whether it is taken where no account is named.
        is_default: bool,
        /// What its account of the ledger holds today, in the base currency of the company.
        book_balance: Option<String> => Form::ANY.example("1210.00"),
        /// What the latest statement ended with.
        statement_balance: Option<String> => Form::ANY.example("1210.00"),
        /// The last day of that statement.
        statement_date: Option<String> => Form::DATE,
        /// How many movements are pending.
        unreconciled_count: u64 => Form::ANY.number(0),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

/// What the books and the bank say of an account.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    /// What its account of the ledger holds.
    pub(super) held: Option<Amount>,
    pub(super) statement: Option<LastStatement>,
    pub(super) pending: u64,
}

impl View {
    /// The account as this sight may see it.
    pub(super) fn of(account: &BankAccount, figures: Figures, access: PiiAccess) -> Self {
        Self {
            id: account.id,
            object: BankAccount::NAME,
            company_id: account.company,
            version: account.version.as_i64(),
            name: account.name.clone(),
            r#type: account.kind,
            iban: account.iban.as_ref().map(|iban| iban.show(access)),
            bic: account.bic.as_ref().map(Bic::as_str).map(str::to_owned),
            bank_name: account.bank(access).map(str::to_owned),
            currency: account.currency.code(),
            account_code: account.account,
            opening_balance: account.opening.map(|opening| opening.balance.to_string()),
            opening_date: account.opening.map(|opening| opening.date.to_string()),
            status: account.status,
            is_default: account.is_default,
            book_balance: figures.held.map(|held| held.to_string()),
            statement_balance: figures.statement.map(|statement| statement.balance.to_string()),
            statement_date: figures.statement.map(|statement| statement.date.to_string()),
            unreconciled_count: figures.pending,
            external_id: account.extension.external_id.clone(),
            metadata: account.extension.metadata.clone(),
            created_at: account.created_at,
            updated_at: account.updated_at,
        }
    }
}
