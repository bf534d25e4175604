//! What a client writes of books.

use std::collections::BTreeMap;

use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use super::{Mode, Subledger};
use crate::books::chart::Chart;
use crate::party::form;

/// Codes of accounts by what they are for.
const CODES: Form = Form::each(&Form::pattern("^[1-9][0-9]{0,11}$")).keys(40).json(r#"{"bank":"5720000"}"#);

wire_patch! {
    /// The books of a company, as a client writes them.
    pub struct BookInput as "Book" computed [baseCurrency, taxLockDate] {
        /// The chart of accounts; changes only while the books have no entry, no fixed asset and no account of the company's
        /// own.
        [kept] chart: Patch<Chart>,
        /// Digits of an account that takes entries; changes as long as `chart` does.
        [kept] account_code_length: Patch<i64> => Form::range(6, 12).number(7),
        /// Whether customers and suppliers share accounts.
        [kept] subledger as "subledgerMode": Patch<Subledger>,
        /// The day on which the next new fiscal years begin: MM-DD.
        [kept] year_start as "fiscalYearStart": Patch<String> => Form::pattern("^[0-9]{2}-[0-9]{2}$").length(5, 5).example("01-01"),
        /// Accounts by what they are for; null for a name removes it.
        default_accounts: Patch<BTreeMap<String, Option<String>>> => CODES,
        /// Nothing dated up to this day changes any more; moves both ways.
        lock_date: Patch<String> => Form::DATE,
        /// The same for periods that are done with; only moves forward.
        [kept] hard_lock_date: Patch<String> => Form::DATE,
        /// What the service writes by itself.
        [kept] automation: Patch<AutomationInput>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

wire_patch! {
    /// What the service writes into the journal by itself.
    pub struct AutomationInput as "BookAutomation" {
        /// When a sales document is issued or voided.
        [kept] sales: Patch<Mode>,
        /// When a supplier document is approved or voided.
        [kept] purchases: Patch<Mode>,
        /// When a payment is recorded or removed.
        [kept] payments: Patch<Mode>,
        /// When a month of fixed assets has passed.
        [kept] depreciation: Patch<Mode>,
        /// When a tax return is submitted.
        [kept] tax_settlement: Patch<Mode>,
        /// Whether bank movements are matched without being asked.
        [kept] auto_reconcile: Patch<bool>,
    }
}
