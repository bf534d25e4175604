//! Fixed assets: put to use, and depreciated up to the end of the present month.

use serde_json::{Value, json};

use super::year::Year;
use crate::commands::demo::api::Api;
use crate::failure::Failure;

/// Puts an asset to use that came with a supplier's document; it loses value month by month.
pub(super) async fn activate(api: &Api, asset: &str) -> Result<(), Failure> {
    let path = api.books(&format!("/fixed-assets/{asset}"));
    api.patch(&path, &json!({"frequency": "monthly"})).await?;
    api.post(&format!("{path}/activate"), &json!({})).await?;
    Ok(())
}

/// Writes what is due up to the end of the present month.
pub(super) async fn depreciate(api: &Api, year: &Year) -> Result<(), Failure> {
    let run = json!({"through": year.month_end().to_string(), "post": true});
    let mut more = true;
    while more {
        let written = api.post(&api.books("/fixed-assets/depreciation-runs"), &run).await?;
        more = written.get("hasMore") == Some(&Value::Bool(true));
    }
    Ok(())
}
