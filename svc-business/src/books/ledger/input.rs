//! What a client writes of an account of the ledger.

use std::collections::BTreeMap;

use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use crate::books::account::{AccountCode, AccountType, TaxRole};
use crate::books::ledger::LedgerStatus;
use crate::party::form;

wire_patch! {
    /// An account or a heading of a company's ledger, as a client writes it.
    pub struct LedgerAccountInput as "LedgerAccount" computed [postable, normalBalance, balance, asOf] {
        /// Digits; with as many as the books' codes have, the account takes entries, with fewer it is a heading.
        /// Changes only while nothing uses it.
        [always] code: Patch<AccountCode> => Form::ANY.example("6290001"),
        /// What people call it.
        [always] name: Patch<String> => Form::text(1, 200).example("Suscripciones"),
        /// What it counts. The code says it; only groups 1, 4 and 5 can have another one.
        [kept] account_type as "type": Patch<AccountType>,
        /// Whether its lines are matched with each other, as an invoice with its payment.
        [kept] reconcilable: Patch<bool>,
        /// The tax that it counts: entries on it are held against their tax tags.
        tax_role: Patch<TaxRole>,
        /// Archives an account or brings it back.
        [update] status: Patch<LedgerStatus>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}
