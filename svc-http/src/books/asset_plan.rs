//! What an asset loses, period by period, as clients see it.

use svc_business::books::asset::FixedAsset;
use svc_business::books::asset::plan::{Instalment, InstalmentStatus, Plan};
use svc_core::id::{FixedAssetId, JournalEntryId};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::asset_view::AMOUNT;

wire_view! {
    /// The plan by which an asset loses value, with what the journal has of it.
    #[derive(Debug)]
    pub(crate) struct PlanView as "DepreciationPlan" {
        fixed_asset_id: FixedAssetId,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// In the order of their periods.
        instalments: Vec<InstalmentView>,
    }
}

wire_view! {
    /// What an asset loses in one period.
    #[derive(Debug)]
    struct InstalmentView as "DepreciationInstalment" {
        /// The number of the period, from 1.
        period: u32 => Form::ANY.number(1),
        from: String => Form::DATE,
        /// The day on which its entry is dated.
        to: String => Form::DATE,
        amount: String => AMOUNT.example("25.00"),
        /// What is lost when the period ends.
        accumulated: String => AMOUNT.example("25.00"),
        /// What the asset is still worth then.
        carrying_amount: String => AMOUNT.example("1175.00"),
        status: &'static str => Form::one_of(InstalmentStatus::NAMES),
        /// The entry of the journal, a draft among them; null while it is planned.
        entry_id: Option<JournalEntryId>,
    }
}

impl PlanView {
    pub(super) fn of(asset: &FixedAsset, plan: &Plan) -> Self {
        Self {
            fixed_asset_id: asset.id,
            currency: asset.terms.cost.currency().code(),
            instalments: plan.instalments.iter().map(InstalmentView::of).collect(),
        }
    }
}

impl InstalmentView {
    fn of(instalment: &Instalment) -> Self {
        Self {
            period: instalment.period,
            from: instalment.from.to_string(),
            to: instalment.to.to_string(),
            amount: instalment.amount.to_string(),
            accumulated: instalment.accumulated.to_string(),
            carrying_amount: instalment.carrying.to_string(),
            status: instalment.status.name(),
            entry_id: match instalment.status {
                InstalmentStatus::Planned => None,
                InstalmentStatus::Posted { entry } => Some(entry),
            },
        }
    }
}
