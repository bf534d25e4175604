//! A fixed asset as clients see it.

use std::collections::BTreeMap;

use svc_business::books::account::AccountCode;
use svc_business::books::asset::class::{AssetClass, AssetWarning};
use svc_business::books::asset::plan::{Frequency, Method, Proration, YearWeights};
use svc_business::books::asset::{AssetStatus, Disposal, DisposalReason, FixedAsset};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, FixedAssetId};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::scope::out_of_range;
use crate::problem::Problem;

/// A decimal string.
pub(super) const AMOUNT: Form = Form::ANY.example("1200.00");

wire_view! {
    /// A thing that a company uses for more than a year; amounts are in the base currency of its books.
    #[derive(Debug)]
    pub(crate) struct View as "FixedAsset" {
        id: FixedAssetId,
        object: &'static str => Form::one_of(&["fixed_asset"]),
        company_id: AccountId,
        version: i64,
        name: String => Form::ANY.example("Laptop"),
        code: Option<String> => Form::ANY.example("IT-0042"),
        asset_class: AssetClass => Form::ANY.example("it_equipment"),
        status: &'static str => Form::one_of(AssetStatus::NAMES),
        acquisition_date: String => Form::DATE,
        in_service_date: String => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        cost: String => AMOUNT,
        residual_value: String => AMOUNT.example("0.00"),
        opening_accumulated: String => AMOUNT.example("0.00"),
        method: Method,
        /// Null unless the method is `sum_of_years`.
        year_weights: Option<YearWeights> => Form::ANY.json("null"),
        /// Null for what loses no value.
        useful_life_months: Option<u16> => Form::ANY.number(48),
        /// Null for what loses no value.
        frequency: Option<Frequency> => Form::ANY.example("monthly"),
        /// Null for what loses no value.
        proration: Option<Proration> => Form::ANY.example("daily"),
        asset_account_code: AccountCode => Form::ANY.example("2170000"),
        /// Null for land.
        accumulated_account_code: Option<AccountCode> => Form::ANY.example("2817000"),
        /// Null for land.
        expense_account_code: Option<AccountCode> => Form::ANY.example("6810000"),
        /// All that it lost so far.
        accumulated_depreciation: String => AMOUNT.example("300.00"),
        /// What it is still worth in the books, or was when it left.
        carrying_amount: String => AMOUNT.example("900.00"),
        /// The last day of the last instalment that the journal has.
        depreciated_through: Option<String> => Form::DATE.json("null"),
        /// How it left.
        disposal: Option<DisposalView> => Form::ANY.json("null"),
        /// What is allowed about it and worth saying.
        warnings: Vec<AssetWarning> => Form::ANY.json("[]"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// How an asset left.
    #[derive(Debug)]
    struct DisposalView as "FixedAssetDisposed" {
        date: String => Form::DATE,
        proceeds: String => AMOUNT.example("300.00"),
        reason: DisposalReason,
        /// What it brought beyond what it was still worth; below zero for a loss.
        gain_loss: String => AMOUNT.example("-600.00"),
    }
}

impl View {
    pub(super) fn of(asset: &FixedAsset) -> Result<Self, Problem> {
        let (terms, schedule, lost) = (&asset.terms, asset.terms.schedule, asset.accounts.depreciation);
        let disposal = match asset.status {
            AssetStatus::Draft | AssetStatus::Active | AssetStatus::FullyDepreciated => None,
            AssetStatus::Disposed { disposal } => Some(disposal),
        };
        Ok(Self {
            id: asset.id,
            object: FixedAsset::NAME,
            company_id: asset.company,
            version: asset.version.as_i64(),
            name: asset.name.clone(),
            code: asset.code.clone(),
            asset_class: asset.class,
            status: asset.status.name(),
            acquisition_date: asset.acquired_on.to_string(),
            in_service_date: terms.in_service.to_string(),
            currency: terms.cost.currency().code(),
            cost: terms.cost.to_string(),
            residual_value: terms.residual.to_string(),
            opening_accumulated: terms.opening_accumulated.to_string(),
            method: schedule.map_or(Method::None, |schedule| schedule.pattern.method()),
            year_weights: schedule.and_then(|schedule| schedule.pattern.weights()),
            useful_life_months: schedule.map(|schedule| schedule.life.months()),
            frequency: schedule.map(|schedule| schedule.frequency),
            proration: schedule.map(|schedule| schedule.proration),
            asset_account_code: asset.accounts.asset,
            accumulated_account_code: lost.map(|lost| lost.accumulated),
            expense_account_code: lost.map(|lost| lost.expense),
            accumulated_depreciation: asset.accumulated().map_err(out_of_range)?.to_string(),
            carrying_amount: asset.carrying().map_err(out_of_range)?.to_string(),
            depreciated_through: asset.depreciated_through().map(|day| day.to_string()),
            disposal: disposal.as_ref().map(DisposalView::of),
            warnings: asset.warning().into_iter().collect(),
            external_id: asset.extension.external_id.clone(),
            metadata: asset.extension.metadata.clone(),
            created_at: asset.created_at,
            updated_at: asset.updated_at,
        })
    }
}

impl DisposalView {
    fn of(disposal: &Disposal) -> Self {
        Self {
            date: disposal.date.to_string(),
            proceeds: disposal.proceeds.to_string(),
            reason: disposal.reason,
            gain_loss: disposal.gain_loss.to_string(),
        }
    }
}
