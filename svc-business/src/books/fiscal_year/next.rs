//! Opening the next fiscal year ahead of time.

use svc_core::refused::Refused;
use svc_core::resource::Lock;
use time::Duration;

use super::{FiscalYear, Span, judge_place};
use crate::books::book;
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// How long before a year ends the next one is there.
const AHEAD: Duration = Duration::days(30);

/// Adds the year after the last one once that ends within thirty days, or has ended; `None` when it is too early. Emits
/// nothing.
///
/// # Errors
/// [`Refused`]; nothing was added.
pub async fn open_next(home: Home<'_, DynBooksUnit>) -> Result<Option<FiscalYear>, Refused> {
    let years = home.unit.fiscal_years().of_company(home.company.id).await?;
    let today = home.company.local_date(home.call.now);
    let too_early = |end: time::Date| end.checked_sub(AHEAD).is_some_and(|day| today < day);
    if years.iter().map(|year| year.span.end()).max().is_none_or(too_early) {
        return Ok(None);
    }
    let book = book::locked::<std::convert::Infallible>(&home, Lock::Exclusive, &[]).await?;
    let years = home.unit.fiscal_years().of_company(home.company.id).await?;
    let Some(last) = years.iter().map(|year| year.span.end()).max().filter(|end| !too_early(*end)) else {
        return Ok(None);
    };
    // A year that ended early is followed by what is left of the usual one.
    let next = last.next_day().and_then(|start| {
        let usual = book.year_start.year_of(start)?;
        Span::new(start, usual.end()).ok()
    });
    let Some(span) = next else { return Ok(None) };
    judge_place(&years, span)?;
    let year = FiscalYear::blank(home.company.id, home.call, span);
    home.add(year).await.map(Some)
}
