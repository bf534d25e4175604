//! What returns come to, and what people say of them, as columns.

use std::collections::BTreeMap;

use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::tax::returns::{
    BoxValue, Figures, Origin, ResultKind, ReturnBox, ReturnWarning, Said, TaxResult, WarningCode,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::money::{Amount, Currency};

use crate::business::cell::{Cell, Columns, Stored, named};
use crate::value::{broken, json};

named!(ResultKind: name);

/// What a box holds: `["07", "amount", "21.00", "computed"]`.
#[derive(Serialize, Deserialize)]
struct StoredBox(String, String, String, String);

#[derive(Serialize, Deserialize)]
struct StoredSaid {
    boxes: BTreeMap<String, (String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund: Option<bool>,
}

impl Stored for Said {
    type Sql = String;

    fn to_sql(&self) -> String {
        let of_box = |(code, value): (&String, &BoxValue)| {
            (code.clone(), (value.unit().name().to_owned(), value.to_string()))
        };
        json(&StoredSaid { boxes: self.boxes.iter().map(of_box).collect(), refund: self.refund })
    }

    fn from_sql(sql: String) -> Option<Self> {
        let StoredSaid { boxes, refund } = serde_json::from_str(&sql).ok()?;
        let of_box =
            |(code, (unit, value)): (String, (String, String))| Some((code, value_of(&unit, &value)?));
        Some(Self { boxes: boxes.into_iter().map(of_box).collect::<Option<_>>()?, refund })
    }
}

fn value_of(unit: &str, text: &str) -> Option<BoxValue> {
    BoxValue::parse(unit.parse().ok()?, text).ok()
}

fn boxes(sql: &str) -> Option<Vec<ReturnBox>> {
    let stored: Vec<StoredBox> = serde_json::from_str(sql).ok()?;
    let of_box = |StoredBox(code, unit, value, origin)| {
        let origin: Origin = origin.parse().ok()?;
        Some(ReturnBox { value: value_of(&unit, &value)?, code, origin })
    };
    stored.into_iter().map(of_box).collect()
}

fn warnings(sql: &str) -> Option<Vec<ReturnWarning>> {
    let stored: Vec<(String, u32)> = serde_json::from_str(sql).ok()?;
    let warning = |(code, count): (String, u32)| {
        let code: WarningCode = code.parse().ok()?;
        Some(ReturnWarning { code, count })
    };
    stored.into_iter().map(warning).collect()
}

/// `computed_at`, `books`, `boxes`, `result`, `amount`, `warnings`, `parties`
impl Columns for Option<Figures> {
    fn store(&self, values: &mut Vec<Value>) {
        let of = self.as_ref();
        let stored = |one: &ReturnBox| {
            let (unit, value) = (one.value.unit().name().to_owned(), one.value.to_string());
            StoredBox(one.code.clone(), unit, value, one.origin.name().to_owned())
        };
        let boxes = |of: &Figures| json(&of.boxes.iter().map(stored).collect::<Vec<_>>());
        let warnings = |of: &Figures| {
            json(&of.warnings.iter().map(|one| (one.code.name(), one.count)).collect::<Vec<_>>())
        };
        values.extend([
            of.map(|of| of.at).put(),
            of.map(|of| i64::try_from(of.books).unwrap_or(i64::MAX)).put(),
            of.map(boxes).put(),
            of.map(|of| of.result.kind).put(),
            of.map(|of| of.result.amount.minor()).put(),
            of.map(warnings).put(),
            of.map(|of| i32::try_from(of.parties).unwrap_or(i32::MAX)).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [at, books, of_boxes, result, amount, of_warnings, parties] = columns else {
            return Err(StoreError::backend("seven columns"));
        };
        let Some(at) = Cell::take(row, at)? else { return Ok(None) };
        let at: Timestamp = at;
        let (books, parties): (i64, i32) = (Cell::take(row, books)?, Cell::take(row, parties)?);
        let (of_boxes, of_warnings): (String, String) =
            (Cell::take(row, of_boxes)?, Cell::take(row, of_warnings)?);
        let amount = Amount::from_minor(Cell::take(row, amount)?, Currency::EUR);
        Ok(Some(Figures {
            at,
            books: u64::try_from(books).map_err(|_| broken("tax_returns.books"))?,
            boxes: boxes(&of_boxes).ok_or_else(|| broken("tax_returns.boxes"))?,
            result: TaxResult {
                kind: Cell::take(row, result)?,
                amount: amount.map_err(|_| broken("tax_returns.amount"))?,
            },
            warnings: warnings(&of_warnings).ok_or_else(|| broken("tax_returns.warnings"))?,
            parties: u32::try_from(parties).map_err(|_| broken("tax_returns.parties"))?,
        }))
    }
}
