//! A prepared return as forms know it.

use std::collections::BTreeMap;

use svc_core::error::StoreError;
use svc_tax_forms::{Computed, Form, Model, Party, PartyRow, PreviousReturn, ResultKind, TaxResult};

use super::{Figures, ReturnParty, TaxReturn};
use crate::party::value;

/// What a return is for later ones.
pub(super) fn previous(of: &TaxReturn, figures: &Figures, parties: &[ReturnParty]) -> PreviousReturn {
    let boxes = figures.boxes.iter().filter_map(|one| Some((one.code.clone(), one.value.amount()?)));
    let boxes: BTreeMap<_, _> = boxes.collect();
    let parties = parties.iter().map(row).collect();
    let previous =
        PreviousReturn { model: of.model, period: of.period, result: figures.result, boxes, parties };
    if of.model == Model::M303 { whole(previous) } else { previous }
}

/// A correction says what is to be paid (box 71) beyond what was paid before (box 70): its period came to both together. What
/// it claims back, or carries over, is its own.
fn whole(mut of: PreviousReturn) -> PreviousReturn {
    let (Some(before), Some(left)) = (of.boxes.get("70").copied(), of.boxes.get("71").copied()) else {
        return of;
    };
    let pays = matches!(of.result.kind, ResultKind::Payable | ResultKind::Zero) && before.minor() > 0;
    if let Some(amount) = pays.then(|| left.plus(before).ok()).flatten() {
        of.boxes.insert("71".to_owned(), amount);
        of.result = TaxResult { kind: ResultKind::Payable, amount };
    }
    of
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
