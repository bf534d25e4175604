//! Making a return: by hand, or by the calendar of a company.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{TaxReturnId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Resource as _, Version};
use svc_tax_forms::calendar::{Holidays, due};
use svc_tax_forms::{Form, Model, TaxPeriod};
use time::Duration;

use super::{ReturnKind, ReturnStatus, Said, TaxReturn, TaxReturnRequest};
use crate::catalogue::event;
use crate::ports::DynTaxUnit;
use crate::record::{Home, replace};

/// The returns of four years come to fewer than that.
const MOST: u32 = 1_000;
/// So far from today are the ends of periods that a company may owe returns of.
const TWO_YEARS: Duration = Duration::days(2 * 366);

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
/// whose last day has not passed. The catalogue has no event for it. A return of a tax year whose end was moved since, and that was
/// never filed, gets its other days: that emits `tax_return.update`.
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
    if owed.is_empty() {
        return Ok(Vec::new());
    }
    // A tax year that began in one of these years may end in another one since the company moved its end.
    let days = (today.saturating_sub(TWO_YEARS), today.saturating_add(TWO_YEARS));
    let there = unit.tax_returns().ending(home.company.id, &Model::ALL, days, MOST).await?;
    let mut made = Vec::new();
    for one in owed {
        let named = |period: &TaxPeriod| (period.year(), period.period());
        let is_there = |other: &&TaxReturn| {
            other.kind == ReturnKind::Ordinary
                && (other.model, named(&other.period)) == (one.model, named(&one.period))
        };
        match there.iter().find(is_there) {
            None => {
                let new = blank(home, one.model, one.period, ReturnKind::Ordinary, None);
                made.push(home.add(new).await?);
            }
            Some(there) if there.period != one.period && there.submissions == 0 => {
                made.push(moved(home, there, one.period).await?);
            }
            Some(_) => {}
        }
    }
    Ok(made)
}

/// The return of a tax year whose end was moved before it was ever filed: it is prepared anew for its other days.
async fn moved(
    home: &Home<'_, DynTaxUnit>,
    before: &TaxReturn,
    period: TaxPeriod,
) -> Result<TaxReturn, Refused> {
    let due = due(before.model, &period, &Holidays::national());
    let after = TaxReturn { period, due, status: ReturnStatus::Pending, figures: None, ..before.clone() };
    let after = replace(home.unit, home.call, before, after).await?;
    home.unit.tax_returns().set_parties(&after, &[]).await?;
    home.publish(const { event("tax_return.update") }, &after, None).await?;
    Ok(after)
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
    // A year that no calendar has is judged with the form.
    let found = profile.tax_year(of.year()).ok().flatten();
    Ok(found.filter(|period| period.period() == of.period()).unwrap_or(of))
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
