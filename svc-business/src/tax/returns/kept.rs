//! A prepared return as forms know it.

use svc_core::error::StoreError;
use svc_tax_forms::{Computed, Form, Party, PartyRow, PreviousReturn};

use super::{Figures, ReturnParty, TaxReturn};
use crate::party::value;

/// What a return is for later ones.
pub(super) fn previous(of: &TaxReturn, figures: &Figures, parties: &[ReturnParty]) -> PreviousReturn {
    let boxes = figures.boxes.iter().filter_map(|one| Some((one.code.clone(), one.value.amount()?)));
    PreviousReturn {
        model: of.model,
        period: of.period,
        result: figures.result,
        boxes: boxes.collect(),
        parties: parties.iter().map(row).collect(),
    }
}

/// What was computed when a return was prepared, to be written as a file; `None` of one that was never prepared.
///
/// # Errors
/// When the form of the return is not known any more.
pub fn computed(of: &TaxReturn, parties: &[ReturnParty]) -> Result<Option<Computed>, StoreError> {
    let Some(figures) = &of.figures else { return Ok(None) };
    let form = Form::find(of.model, &of.period);
    let form = form.ok_or_else(|| StoreError::backend("a return without a form"))?;
    let boxes = figures.boxes.iter().map(|one| (one.code.as_str(), one.value, one.origin));
    let parties = parties.iter().map(row).collect();
    Ok(Some(Computed::kept(form, of.period, boxes, figures.result, parties)))
}

fn row(of: &ReturnParty) -> PartyRow {
    PartyRow {
        party: Party {
            id: of.contact.map(|contact| contact.to_string()).unwrap_or_default(),
            tax_id: of.tax_id.as_ref().map(|tax_id| value(tax_id).as_str().to_owned()),
            name: of.name.clone(),
            country: of.country.clone(),
            province: of.province.clone(),
        },
        key: of.key.clone(),
        mark: of.mark.clone(),
        rectified: of.corrects,
        amounts: of.amounts.clone(),
        references: Vec::new(),
    }
}
