//! What a client writes of a fixed asset.

use std::collections::BTreeMap;

use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};

use super::class::AssetClass;
use super::plan::{Frequency, Method, Proration, YearWeights};
use super::state::DisposalReason;
use crate::books::account::AccountCode;
use crate::party::form;

/// An amount that is not below zero.
const AMOUNT: Form = Form::pattern(r"^[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 19);

wire_patch! {
    /// A thing that a company uses for more than a year, as a client writes it. Once it is active, only its name, its
    /// code, its residual value and its life change.
    pub struct FixedAssetInput as "FixedAsset"
        computed [status, accumulatedDepreciation, carryingAmount, depreciatedThrough, disposal, warnings]
    {
        /// What people call it.
        [always] name: Patch<String> => Form::text(1, 200).example("Laptop"),
        /// The company's own number for it, unique per company.
        code: Patch<String> => Form::text(1, 50).example("IT-0042"),
        /// What kind of thing it is: decides its accounts, and what is usual for it.
        [always] asset_class: Patch<AssetClass> => Form::ANY.example("it_equipment"),
        /// When it was acquired.
        [always] acquisition_date: Patch<String> => Form::DATE,
        /// When it is put to use, not before it was acquired; on that day when left out.
        in_service_date: Patch<String> => Form::DATE,
        /// What it cost: a decimal string in the base currency of the books, more than zero.
        [always] cost: Patch<String> => AMOUNT.example("1200.00"),
        /// What it will be worth in the end, at most its cost; nothing when left out.
        residual_value: Patch<String> => AMOUNT.example("0.00"),
        /// What it had lost before the books began; nothing when left out.
        opening_accumulated: Patch<String> => AMOUNT.example("0.00"),
        /// How it loses value: in a straight line when left out, and land not at all.
        method: Patch<Method>,
        /// In which order years weigh with `sum_of_years`, descending when left out.
        year_weights: Patch<YearWeights>,
        /// How many months it is of use; the fewest that the tax table allows when left out.
        useful_life_months: Patch<i64> => Form::range(1, 1_200).number(48),
        /// How often an instalment is due, yearly when left out.
        frequency: Patch<Frequency>,
        /// How the month counts in which it is put to use, by its days when left out.
        proration: Patch<Proration>,
        /// The account of its cost; that of its class when left out.
        asset_account_code: Patch<AccountCode>,
        /// The account of all that it lost; that of its class when left out.
        accumulated_account_code: Patch<AccountCode>,
        /// The account of what it loses in a year; that of its class when left out.
        expense_account_code: Patch<AccountCode>,
        /// Whether a new asset is put to use at once.
        activate: bool,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

wire_request! {
    /// How an asset leaves.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DisposeRequest as "FixedAssetDisposal" {
        /// When: not before the last day of its last posted instalment.
        pub date: String => Form::DATE,
        /// What it brings, taxes aside: a decimal string in the base currency of the books; nothing when left out.
        pub proceeds: Option<String> => AMOUNT.example("300.00"),
        /// Why.
        pub reason: DisposalReason => Form::ANY.example("sold"),
        /// The account that takes the proceeds; that of what buyers of fixed assets owe when left out.
        pub account_code: Option<AccountCode>,
    }
}

wire_request! {
    /// Up to when instalments are posted.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DepreciationRunRequest as "DepreciationRun" {
        /// The last day: instalments of periods that end on it or before are due.
        pub through: String => Form::DATE,
        /// Whether the entries are posted, not only drafted; as the books say when left out.
        pub post: Option<bool>,
    }
}
