//! What a depreciation run wrote, as clients see it.

use serde_json::Value;
use svc_business::books::asset::plan::PostedInstalment;
use svc_business::books::asset::{Depreciated, DepreciationRun, LeftOut};
use svc_core::id::{FixedAssetId, JournalEntryId};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::asset_view::AMOUNT;
use crate::api_request::ApiRequest;
use crate::bulk;
use crate::problem::{Document, Problem};

wire_view! {
    /// What a depreciation run wrote into the journal.
    #[derive(Debug)]
    pub(crate) struct RunView as "DepreciationRunResult" {
        through: String => Form::DATE,
        /// Whether its entries are posted, not only drafted.
        posted: bool,
        /// The assets that lost something.
        assets: Vec<AssetView>,
        /// The assets of which nothing was written.
        left_out: Vec<LeftOutView>,
        /// Whether more is due up to that day: another run writes it.
        has_more: bool,
    }
}

wire_view! {
    /// An asset whose entries fall into locked days, or into no open fiscal year.
    #[derive(Debug)]
    struct LeftOutView as "DepreciationRunLeftOut" {
        fixed_asset_id: FixedAssetId,
        /// The problem that a run of this asset alone would answer.
        error: Value => Form::ANY.like::<Document<'static>>(),
    }
}

wire_view! {
    /// What a run wrote for an asset.
    #[derive(Debug)]
    struct AssetView as "DepreciationRunAsset" {
        fixed_asset_id: FixedAssetId,
        status: &'static str => Form::ANY.example("active"),
        instalments: Vec<InstalmentView>,
    }
}

wire_view! {
    /// An instalment with its entry.
    #[derive(Debug)]
    struct InstalmentView as "DepreciationRunInstalment" {
        /// The number of the period, from 1.
        period: u32 => Form::ANY.number(1),
        from: String => Form::DATE,
        to: String => Form::DATE,
        amount: String => AMOUNT.example("25.00"),
        entry_id: JournalEntryId,
    }
}

impl RunView {
    pub(super) fn of(req: &ApiRequest, run: &DepreciationRun) -> Self {
        let left_out = |left: &LeftOut| LeftOutView {
            fixed_asset_id: left.asset,
            error: bulk::refused(req, &Problem::from(left.refused.clone())).1,
        };
        Self {
            through: run.through.to_string(),
            posted: run.posted,
            assets: run.assets.iter().map(AssetView::of).collect(),
            left_out: run.left_out.iter().map(left_out).collect(),
            has_more: run.has_more,
        }
    }
}

impl AssetView {
    fn of(lost: &Depreciated) -> Self {
        Self {
            fixed_asset_id: lost.asset.id,
            status: lost.asset.status.name(),
            instalments: lost.instalments.iter().map(InstalmentView::of).collect(),
        }
    }
}

impl InstalmentView {
    fn of(posted: &PostedInstalment) -> Self {
        Self {
            period: posted.period,
            from: posted.from.to_string(),
            to: posted.to.to_string(),
            amount: posted.amount.to_string(),
            entry_id: posted.entry,
        }
    }
}
