//! Lines and discount of a document in columns. The figures are computed anew when they are read.

use std::collections::BTreeMap;

use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::sales::document::{Content, ItemType, Line};
use svc_business::trade::{Discount, DiscountType, ExemptionCode, TaxCode};
use svc_core::error::StoreError;
use svc_core::id::SalesLineId;
use svc_core::money::Currency;
use time::Date;

use crate::business::cell::{Cell, Columns, Stored, named};
use crate::value::{broken, from_json, json, parsed};

const LINES: &str = "sales_documents.lines";

named!(DiscountType: name);

#[derive(Serialize, Deserialize)]
struct StoredLine {
    id: SalesLineId,
    description: String,
    quantity: String,
    unit: String,
    unit_price: String,
    discount_percent: String,
    tax: String,
    /// The first day on which the tax is as it is here.
    tax_from: String,
    exemption: Option<ExemptionCode>,
    withholding_rate: String,
    account: Option<String>,
    item_type: ItemType,
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
            exemption: line.exemption,
            withholding_rate: line.withholding_rate.to_string(),
            account: line.account.map(|account| account.to_string()),
            item_type: line.item_type,
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
            exemption: self.exemption,
            withholding_rate: parsed(LINES, &self.withholding_rate)?,
            account: self.account.map(|code| parsed(LINES, &code)).transpose()?,
            item_type: self.item_type,
            tags: self.tags,
        })
    }
}

/// `currency`, `prices_include_tax`, `discount_type`, `discount_value`, `lines`
impl Columns for Content {
    fn store(&self, values: &mut Vec<Value>) {
        let lines: Vec<_> = self.lines().iter().map(StoredLine::from).collect();
        values.extend([
            self.currency().put(),
            self.prices_include_tax().put(),
            self.discount().map(Discount::kind).put(),
            self.discount().map(Discount::value).put(),
            json(&lines).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [currency, included, kind, value, lines] = columns else {
            return Err(StoreError::backend("five columns"));
        };
        let currency = Currency::take(row, currency)?;
        let (kind, value): (Option<DiscountType>, Option<String>) =
            (Cell::take(row, kind)?, Cell::take(row, value)?);
        let discount = kind.zip(value).map(|(kind, value)| Discount::parse(kind, &value, currency));
        let discount = discount.transpose().map_err(|_| broken("sales_documents.discount_value"))?;
        let stored: Vec<StoredLine> = from_json(LINES, &String::take(row, lines)?)?;
        let lines = stored.into_iter().map(StoredLine::read).collect::<Result<_, _>>()?;
        Self::new(currency, Cell::take(row, included)?, lines, discount).map_err(|_| broken(LINES))
    }
}
