//! Preparing a return.

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_tax_forms::{BoxValue, Form};

use super::{Computation, ReturnRefused, ReturnStatus, Said, TaxReturn, TaxReturnInput, Waiting};
use crate::account::Account;
use crate::books::fiscal_year::Span;
use crate::record::Opened;

/// Judges whether a return is prepared now: before its period is over only if `early` says so.
///
/// # Errors
/// [`ReturnRefused::Filed`], [`ReturnRefused::NotOver`].
pub fn judge(of: &TaxReturn, company: &Account, now: Timestamp, early: bool) -> Result<(), ReturnRefused> {
    let ends = of.period.to();
    if of.status.is_filed() {
        return Err(ReturnRefused::Filed { status: of.status });
    }
    if company.local_date(now) <= ends && !early {
        return Err(ReturnRefused::NotOver { ends });
    }
    Ok(())
}

/// What a person says of a return after a patch.
///
/// # Errors
/// Findings on `boxes`: an unknown box, or a value that is none of its unit. Whether a person may say a box at all is judged
/// when the return is [computed](super::compute).
pub fn said(of: &TaxReturn, input: TaxReturnInput) -> Result<Said, ValidationErrors> {
    let mut validator = Validator::new();
    let mut said = of.said.clone();
    match input.boxes {
        Patch::Absent => {}
        Patch::Null => said.boxes.clear(),
        Patch::Value(boxes) => change(&mut validator, of, boxes, &mut said),
    }
    said.refund = input.refund.over(said.refund);
    validator.finish()?;
    Ok(said)
}

fn change(
    validator: &mut Validator,
    of: &TaxReturn,
    boxes: BTreeMap<String, Option<String>>,
    said: &mut Said,
) {
    let form = Form::find(of.model, &of.period);
    for (code, text) in boxes {
        let field = format!("boxes.{code}");
        let Some(definition) = form.and_then(|form| form.box_of(&code)) else {
            validator.fail(&field, "unknown_box", format!("model {} has no such box", of.model));
            continue;
        };
        let Some(text) = text else {
            said.boxes.remove(&code);
            continue;
        };
        if let Some(value) = validator.take(&field, "invalid_value", BoxValue::parse(definition.unit, &text))
        {
            said.boxes.insert(code, value);
        }
    }
}

/// Prepares a return with what was computed, and with what waits in its period. Emits `tax_return.update`.
///
/// # Errors
/// [`Refused`] with [`ReturnRefused::Filed`] and [`ReturnRefused::NotOver`]; [`Refused::VersionConflict`] when the return
/// changed since it was computed. Nothing was changed.
pub async fn prepare(
    opened: Opened<'_, TaxReturn>,
    computation: Computation,
    waiting: Waiting,
    early: bool,
) -> Result<TaxReturn, Refused<ReturnRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    judge(before, &home.company, home.call.now, early).map_err(Refused::Own)?;
    if computation.of != (before.id, before.version) {
        return Err(Refused::VersionConflict { current: before.version });
    }
    let span = Span::new(before.period.from(), before.period.to()).map_err(StoreError::backend)?;
    let drafts = home.unit.journal().drafts_in(before.company, span).await?;
    let said = computation.said.clone();
    let (figures, parties) = computation.figures(home.call.now, drafts, waiting);
    let after = TaxReturn {
        said,
        figures: Some(figures),
        status: ReturnStatus::Prepared,
        submission: None,
        outcome: None,
        ..before.clone()
    };
    let prepared = opened.save(after).await?;
    home.unit.tax_returns().set_parties(&prepared, &parties).await?;
    Ok(prepared)
}
