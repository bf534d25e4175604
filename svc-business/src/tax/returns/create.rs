//! Making a return: by hand, or by the calendar of a company.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{TaxReturnId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Resource as _, Version};
use svc_tax_forms::calendar::{Holidays, due};
use svc_tax_forms::{Form, Model, TaxPeriod};

use super::{ReturnKind, ReturnStatus, Said, TaxReturn, TaxReturnRequest};
use crate::ports::DynTaxUnit;
use crate::record::Home;

/// The returns of two years come to fewer than that.
const MOST: u32 = 500;

/// Makes a return by hand. The catalogue has no event for it.
///
/// # Errors
/// [`Refused`]; findings on the members of the request; [`Refused::Taken`] with `period` when the company has the ordinary
/// return of the period already. Nothing was added.
pub async fn create(home: Home<'_, DynTaxUnit>, input: &TaxReturnRequest) -> Result<TaxReturn, Refused> {
    let kind = input.kind.unwrap_or(ReturnKind::Ordinary);
    let mut validator = Validator::new();
    let period = period(&mut validator, &home, input).await?;
    let corrects = corrected(&mut validator, &home, kind, input, period).await?;
    validator.finish()?;
    // What is missing has a finding.
    let period = period.ok_or_else(|| StoreError::backend("a period without a finding"))?;
    home.add(blank(&home, input.model, period, kind, corrects)).await
}

/// Makes the returns that a company owes now by its tax profile, and that it does not have: those whose period has begun and
/// whose last day has not passed. The catalogue has no event for it.
///
/// # Errors
/// [`Refused::Store`].
pub async fn schedule(home: &Home<'_, DynTaxUnit>) -> Result<Vec<TaxReturn>, Refused> {
    let (unit, today) = (home.unit, home.company.local_date(home.call.now));
    let Some(profile) = unit.tax_profiles().of_company(home.company.id).await? else { return Ok(Vec::new()) };
    let mut owed = Vec::new();
    for year in [today.year().saturating_sub(1), today.year()] {
        // A year that no calendar has owes nothing.
        owed.extend(profile.obligations(year).unwrap_or_default());
    }
    owed.retain(|one| one.period.from() <= today && today <= one.due);
    owed.retain(|one| Form::find(one.model, &one.period).is_some());
    let ends: Vec<_> = owed.iter().map(|one| one.period.to()).collect();
    let (Some(first), Some(last)) = (ends.iter().min(), ends.iter().max()) else { return Ok(Vec::new()) };
    let there = unit.tax_returns().ending(home.company.id, &Model::ALL, (*first, *last), MOST).await?;
    let mut made = Vec::new();
    for one in owed {
        let is_there = |other: &TaxReturn| {
            (other.model, other.period, other.kind) == (one.model, one.period, ReturnKind::Ordinary)
        };
        if !there.iter().any(is_there) {
            made.push(home.add(blank(home, one.model, one.period, ReturnKind::Ordinary, None)).await?);
        }
    }
    Ok(made)
}

fn blank(
    home: &Home<'_, DynTaxUnit>,
    model: Model,
    period: TaxPeriod,
    kind: ReturnKind,
    corrects: Option<TaxReturnId>,
) -> TaxReturn {
    let call = home.call;
    TaxReturn {
        id: TaxReturnId::generate(call.now, call.random),
        company: home.company.id,
        model,
        period,
        kind,
        corrects,
        due: due(model, &period, &Holidays::national()),
        said: Said::default(),
        figures: None,
        status: ReturnStatus::Pending,
        submission: None,
        outcome: None,
        submissions: 0,
        payments: Vec::new(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

/// The days of the period that a request names; `None` with a finding.
async fn period(
    validator: &mut Validator,
    home: &Home<'_, DynTaxUnit>,
    input: &TaxReturnRequest,
) -> Result<Option<TaxPeriod>, StoreError> {
    let code = validator.take("period", "invalid_period", input.period.parse());
    let year = i32::try_from(input.year).unwrap_or(i32::MAX);
    let Some(code) = code else { return Ok(None) };
    let Some(period) = validator.take("year", "out_of_range", TaxPeriod::new(year, code)) else {
        return Ok(None);
    };
    let period = if input.model == Model::M200 { tax_year(home, period).await? } else { period };
    let found = Form::find(input.model, &period);
    let message = format!("model {} has no form for {code} of {year}", input.model);
    Ok(validator.require(found.is_some(), "period", "unknown_form", message).then_some(period))
}

/// The tax year that begins in a year, as the profile of the company has it.
async fn tax_year(home: &Home<'_, DynTaxUnit>, of: TaxPeriod) -> Result<TaxPeriod, StoreError> {
    let Some(profile) = home.unit.tax_profiles().of_company(home.company.id).await? else { return Ok(of) };
    let owed = [of.year(), of.year().saturating_add(1)]
        .into_iter()
        .filter_map(|year| profile.obligations(year).ok());
    let years = owed.flatten().filter(|one| one.model == Model::M200).map(|one| one.period);
    let found = years.into_iter().find(|period| period.year() == of.year() && period.period() == of.period());
    Ok(found.unwrap_or(of))
}

/// The return that a correction is of; none of an ordinary one.
async fn corrected(
    validator: &mut Validator,
    home: &Home<'_, DynTaxUnit>,
    kind: ReturnKind,
    input: &TaxReturnRequest,
    period: Option<TaxPeriod>,
) -> Result<Option<TaxReturnId>, StoreError> {
    let field = "correctsId";
    let id = match (kind, input.corrects_id) {
        (ReturnKind::Ordinary, None) => return Ok(None),
        (ReturnKind::Ordinary, Some(_)) => {
            validator.fail(field, "not_allowed", "an ordinary return corrects none");
            return Ok(None);
        }
        (ReturnKind::Complementary | ReturnKind::Substitute | ReturnKind::Rectifying, None) => {
            validator.fail(field, "required", "must name the return that is corrected");
            return Ok(None);
        }
        (ReturnKind::Complementary | ReturnKind::Substitute | ReturnKind::Rectifying, Some(id)) => id,
    };
    let found = home.referred::<TaxReturn>(home.unit.tax_returns(), &[id]).await?;
    let same =
        |other: &&TaxReturn| other.model == input.model && period.is_none_or(|period| other.period == period);
    let Some(found) = found.first().filter(same) else {
        validator.fail(
            field,
            "unknown_reference",
            "no return of the same company, model and period has this id",
        );
        return Ok(None);
    };
    let message = format!("the return is {}, and only a filed one is corrected", found.status.name());
    validator.require(found.status.is_filed(), field, "not_filed", message);
    Ok(Some(found.id()))
}
