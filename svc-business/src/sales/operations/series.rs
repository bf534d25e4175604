//! Making and changing series.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::refused::Refused;

use super::reference::ids;
use crate::ports::DynSalesUnit;
use crate::record::{Home, Opened};
use crate::sales::input::SeriesInput;
use crate::sales::rules::apply_series;
use crate::sales::series::Series;

/// Series of a company at most.
const MOST: usize = 200;

/// Adds a series. Emits nothing.
///
/// # Errors
/// [`Refused`]; `too_many` on `code` when the company has 200 series; [`Refused::Taken`] names `seriesCode` where another series has it. Nothing was added.
pub async fn create(home: &Home<'_, DynSalesUnit>, input: &SeriesInput) -> Result<Series, Refused> {
    let series = applied(home, None, input)?;
    if home.unit.series().of_company(home.company.id).await?.len() >= MOST {
        let message = format!("a company has at most {MOST} series");
        return Err(ValidationErrors::one("code", "too_many", message).into());
    }
    home.add(series).await
}

/// Applies a merge patch to a series that was opened [alone](crate::record::alone). One that changes nothing keeps the
/// version; no change emits an event.
///
/// # Errors
/// [`Refused`]; nothing was changed.
pub async fn update(opened: Opened<'_, Series>, input: &SeriesInput) -> Result<Series, Refused> {
    let after = applied(&opened.home, Some(&opened.before), input)?;
    opened.save(after).await
}

fn applied(
    home: &Home<'_, DynSalesUnit>,
    base: Option<&Series>,
    input: &SeriesInput,
) -> Result<Series, Refused> {
    let mut validator = Validator::new();
    let today = home.company.local_date(home.call.now);
    let series = apply_series(&mut validator, base, input, home.company.id, today, &ids(home));
    validator.finish()?;
    Ok(series.expect("a series without a code has left a finding"))
}
