//! The fixed assets that lines of an approved document become.

use svc_core::id::SupplierLineId;
use svc_core::money::MoneyError;
use svc_core::patch::Patch;
use thiserror::Error;

use crate::books::asset::FixedAssetInput;
use crate::purchases::document::{Action, SupplierDocument, WrongState};

/// Most characters of the name of an asset.
const MOST_NAME: usize = 200;

/// Why there are no assets.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AssetsRefused {
    /// The document is not approved.
    #[error(transparent)]
    State(#[from] WrongState),
    /// Amounts that cannot be counted.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// What the drafts of assets are created with, each with the line that it comes from: every line with an asset class
/// that costs something. The cost is what the entry has for the line, with the tax that cannot be deducted and in the
/// base currency; cents that balance an entry of another currency are not in it.
///
/// # Errors
/// [`AssetsRefused`].
pub fn drafts(document: &SupplierDocument) -> Result<Vec<(SupplierLineId, FixedAssetInput)>, AssetsRefused> {
    document.approved(Action::Approve)?;
    if document.doc_type.charges_tax_alone() {
        return Ok(Vec::new());
    }
    let deduction = document.deduction()?;
    let lines = document.content.lines().iter().zip(&document.content.figures().lines);
    let mut drafts = Vec::new();
    for ((line, figures), tax) in lines.zip(&deduction.costs) {
        let Some(class) = line.asset_class else { continue };
        let cost = document.in_base(figures.tax_base.plus(*tax)?)?;
        if cost.minor() <= 0 {
            continue;
        }
        let name: String = line.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let input = FixedAssetInput {
            name: Patch::Value(name.chars().take(MOST_NAME).collect()),
            asset_class: Patch::Value(class),
            acquisition_date: Patch::Value(document.tax_date().to_string()),
            cost: Patch::Value(cost.to_string()),
            asset_account_code: line.account.map_or(Patch::Absent, Patch::Value),
            ..FixedAssetInput::default()
        };
        drafts.push((line.id, input));
    }
    Ok(drafts)
}
