//! Fixed assets as rows, with the instalments that the journal has.

use async_trait::async_trait;
use sea_orm::Value;
use svc_business::books::asset::class::AssetClass;
use svc_business::books::asset::plan::PostedInstalment;
use svc_business::books::asset::{AssetStatusFilter, FixedAsset, FixedAssetFilter, FixedAssetSort};
use svc_business::books::{FixedAssetReader, FixedAssetStore};
use svc_business::party::order_key;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;

use crate::business::cell::{Cell, Stored, named, numbered};
use crate::business::everything;
use crate::business::record::{Child, Count, FEW, Row, columns};
use crate::business::search::search_keys;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

impl Row for FixedAsset {
    const TABLE: &'static str = "svc_fixed_assets";
    const CHILDREN: &'static [Child<Self>] = &[Child {
        table: "svc_fixed_asset_instalments",
        owner: "asset_id",
        of_company: true,
        columns: &["period", "from_date", "to_date", "amount", "entry_id"],
        references: &[],
        rows: |asset| asset.posted.iter().map(instalment).collect(),
        add: Some(|asset, row| {
            let amount = Amount::from_minor(Cell::take(row, "amount")?, asset.terms.cost.currency());
            asset.posted.push(PostedInstalment {
                period: Cell::take(row, "period")?,
                from: Cell::take(row, "from_date")?,
                to: Cell::take(row, "to_date")?,
                amount: amount.map_err(|_| broken("fixed_asset_instalments.amount"))?,
                entry: Cell::take(row, "entry_id")?,
            });
            Ok(())
        }),
    }];

    columns! {
        {
        id: "id",
        company: "company_id",
        name: "name",
        code: "code",
        class: "asset_class",
        acquired_on: "acquired_on",
        terms: "currency" | "cost" | "residual" | "opening_accumulated" | "in_service" | "method" | "year_weights"
            | "life_months" | "frequency" | "proration" | "year_start",
        accounts: "asset_account" | "accumulated_account" | "expense_account",
        status: "status" | "disposed_on" | "proceeds" | "disposal_reason" | "gain_loss",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children { posted }
        derived {
            "search_key" = searched,
            "name_key" = |asset| order_key(&asset.name),
            "next_due" = FixedAsset::next_due,
        }
    }

    fn companies(filter: &FixedAssetFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &FixedAssetFilter) -> Sql {
        sql.and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND asset_class = ", filter.class.map(AssetClass::name))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND acquired_on >= ", filter.from.map(|date| date.to_sql()))
            .and(" AND acquired_on <= ", filter.to.map(|date| date.to_sql()))
    }

    fn count(filter: &FixedAssetFilter) -> Count<'_, FixedAssetFilter> {
        let FixedAssetFilter { companies, status, class, updated_since, .. } = filter.clone();
        let plain = FixedAssetFilter { companies, status, ..FixedAssetFilter::default() };
        let kinds = FixedAssetFilter { class, ..plain.clone() };
        let changed = FixedAssetFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain, [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &FixedAssetFilter, total: u64) -> bool {
        filter.external_id.is_some() || (filter.updated_since.is_some() && total <= FEW)
    }

    fn text(filter: &FixedAssetFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: FixedAssetSort) -> &'static str {
        match key {
            FixedAssetSort::Name => "name_key",
            FixedAssetSort::AcquisitionDate => "acquired_on",
            FixedAssetSort::UpdatedAt => "updated_at",
        }
    }
}

fn instalment(posted: &PostedInstalment) -> Vec<Value> {
    let PostedInstalment { period, from, to, amount, entry } = *posted;
    vec![period.put(), from.put(), to.put(), amount.minor().put(), entry.put()]
}

fn searched(asset: &FixedAsset) -> String {
    search_keys([Some(asset.name.as_str()), asset.code.as_deref()].into_iter().flatten())
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> FixedAssetReader for SeaStore<C> {
    async fn due(
        &self,
        company: AccountId,
        currency: Currency,
        through: Date,
        limit: u32,
    ) -> Result<Vec<FixedAsset>, StoreError> {
        let text =
            format!("SELECT {} FROM svc_fixed_assets WHERE company_id = ", FixedAsset::COLUMNS.join(", "));
        let due = self.sql(&text).bind(company.uuid()).text(" AND next_due <= ").bind(through.to_sql());
        let due = due.text(" AND currency = ").bind(currency.code());
        let rows = self.rows(due.text(" ORDER BY next_due, id LIMIT ").bind(i64::from(limit))).await?;
        self.with_children(&everything(), &rows).await
    }
}

impl<C: DeferInsert + Send + Sync> FixedAssetStore for SeaStore<C> {}

named!(AssetClass: name);

// A status is that of the asset.
numbered!(AssetStatusFilter { Draft = 0, Active = 1, FullyDepreciated = 2, Disposed = 3 });
