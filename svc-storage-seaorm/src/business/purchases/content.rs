//! Lines, discount and stated quotas of a document in columns. The figures are computed anew when they are read.

use std::collections::BTreeMap;

use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::books::asset::class::AssetClass;
use svc_business::purchases::document::{Content, Line};
use svc_business::trade::calculation::TaxAdjustment;
use svc_business::trade::{Discount, DiscountType, ItemType, TaxCode};
use svc_core::error::StoreError;
use svc_core::id::SupplierLineId;
use svc_core::money::Currency;
use time::Date;

use crate::business::cell::{Cell, Columns, Stored};
use crate::business::invoicing::amount;
use crate::value::{broken, from_json, json, parsed};

const LINES: &str = "supplier_documents.lines";
const ADJUSTMENTS: &str = "supplier_documents.adjustments";

#[derive(Serialize, Deserialize)]
struct StoredLine {
    id: SupplierLineId,
    description: String,
    quantity: String,
    unit: String,
    unit_price: String,
    discount_percent: String,
    tax: String,
    /// The first day on which the tax is as it is here.
    tax_from: String,
    deductible_percent: Option<String>,
    withholding_rate: String,
    account: Option<String>,
    item_type: ItemType,
    asset_class: Option<AssetClass>,
    tags: BTreeMap<String, String>,
}

impl From<&Line> for StoredLine {
    fn from(line: &Line) -> Self {
        Self {
            id: line.id,
            description: line.description.clone(),
            quantity: line.quantity.to_string(),
            unit: line.unit.to_string(),
            unit_price: line.unit_price.to_string(),
            discount_percent: line.discount_percent.to_string(),
            tax: line.tax.code.to_owned(),
            tax_from: line.tax.from.to_sql(),
            deductible_percent: line.deductible_percent.map(|percent| percent.to_string()),
            withholding_rate: line.withholding_rate.to_string(),
            account: line.account.map(|account| account.to_string()),
            item_type: line.item_type,
            asset_class: line.asset_class,
            tags: line.tags.clone(),
        }
    }
}

impl StoredLine {
    fn read(self) -> Result<Line, StoreError> {
        let from = Date::from_sql(self.tax_from).ok_or_else(|| broken(LINES))?;
        Ok(Line {
            id: self.id,
            description: self.description,
            quantity: parsed(LINES, &self.quantity)?,
            unit: parsed(LINES, &self.unit)?,
            unit_price: parsed(LINES, &self.unit_price)?,
            discount_percent: parsed(LINES, &self.discount_percent)?,
            tax: TaxCode::find(&self.tax, from).ok_or_else(|| broken(LINES))?,
            deductible_percent: self.deductible_percent.map(|text| parsed(LINES, &text)).transpose()?,
            withholding_rate: parsed(LINES, &self.withholding_rate)?,
            account: self.account.map(|code| parsed(LINES, &code)).transpose()?,
            item_type: self.item_type,
            asset_class: self.asset_class,
            tags: self.tags,
        })
    }
}

/// `currency`, `prices_include_tax`, `discount_type`, `discount_value`, `adjustments`, `lines`
impl Columns for Content {
    fn store(&self, values: &mut Vec<Value>) {
        let lines: Vec<_> = self.lines().iter().map(StoredLine::from).collect();
        let stated: Vec<_> =
            self.adjustments().iter().map(|one| (one.tax_code.clone(), one.quota.minor())).collect();
        values.extend([
            self.currency().put(),
            self.prices_include_tax().put(),
            self.discount().map(Discount::kind).put(),
            self.discount().map(Discount::value).put(),
            json(&stated).put(),
            json(&lines).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [currency, included, kind, value, stated, lines] = columns else {
            return Err(StoreError::backend("six columns"));
        };
        let currency = Currency::take(row, currency)?;
        let (kind, value): (Option<DiscountType>, Option<String>) =
            (Cell::take(row, kind)?, Cell::take(row, value)?);
        let discount = kind.zip(value).map(|(kind, value)| Discount::parse(kind, &value, currency));
        let discount = discount.transpose().map_err(|_| broken("supplier_documents.discount_value"))?;
        let stored: Vec<StoredLine> = from_json(LINES, &String::take(row, lines)?)?;
        let lines = stored.into_iter().map(StoredLine::read).collect::<Result<_, _>>()?;
        let stated: Vec<(String, i64)> = from_json(ADJUSTMENTS, &String::take(row, stated)?)?;
        let adjustment =
            |(tax_code, minor)| Ok(TaxAdjustment { tax_code, quota: amount(ADJUSTMENTS, minor, currency)? });
        let adjustments = stated.into_iter().map(adjustment).collect::<Result<_, StoreError>>()?;
        let included = Cell::take(row, included)?;
        Self::new(currency, included, lines, discount, adjustments).map_err(|_| broken(LINES))
    }
}
