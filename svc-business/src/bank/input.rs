//! A bank account as a client writes it.

use std::collections::BTreeMap;

use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::wire::Form;
use svc_core::wire_patch;

use super::{BankAccountStatus, BankAccountType};
use crate::books::account::AccountCode;
use crate::party::form;

/// An amount, which may be below zero.
const BALANCE: Form = Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 20);

wire_patch! {
    /// Where a company has money, as a client writes it.
    pub struct BankAccountInput as "BankAccount" in company
        computed [bookBalance, statementBalance, statementDate, unreconciledCount]
    {
        /// What people call it.
        [always] name: Patch<String> => Form::text(1, 200).example("Main account"),
        /// What it is; fixed once the account is there.
        [always] kind as "type": Patch<BankAccountType> => Form::ANY.example("bank"),
        /// Its number, which an account of the type `bank` has. No two active accounts of a company have the same one;
        /// masked values are refused.
        iban: Patch<String> => form::IBAN.example("ES9121000418450200051332"),
        /// The code of the bank.
        bic: Patch<String> => form::BIC,
        /// The name of the bank; that of the number when left out, as far as it is known.
        bank_name: Patch<String> => Form::text(1, 100).example("CaixaBank"),
        /// The currency in which it is held, that of the company when left out; fixed once the account is there.
        [kept] currency: Patch<String> => form::CURRENCY.example("EUR"),
        /// The account of the ledger that counts it, of 57, or of 52 for a card, and that of no other bank account. A
        /// new one when left out. It changes only while no entry names it.
        [kept] account_code: Patch<AccountCode>,
        /// What it held at the end of `openingDate`: a decimal string in its currency.
        opening_balance: Patch<String> => BALANCE.example("1210.00"),
        /// The day of `openingBalance`.
        opening_date: Patch<String> => Form::DATE,
        /// Whether it is taken where no account is named; one account of a company is, the first one at the beginning.
        /// True takes it from another account.
        [kept] is_default: Patch<bool>,
        /// Archives an account or brings it back.
        [update] status: Patch<BankAccountStatus>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

impl BankAccountInput {
    /// Whether it writes a member that a caller with this access sees masked.
    pub(super) fn writes_unseen(&self, access: PiiAccess) -> bool {
        !access.is_full() && !self.iban.is_absent()
    }
}
