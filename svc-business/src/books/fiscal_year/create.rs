//! Adding a fiscal year.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{AccountId, FiscalYearId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Lock, Version};
use svc_core::unit::CallContext;

use super::{FiscalYear, FiscalYearInput, Span, YearStatus, judge_place};
use crate::books::book::{self, YearStart};
use crate::party::{Extension, ExtensionInput, date, extension, optional_line};
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// Adds a year before or after those that there are. Emits nothing.
///
/// # Errors
/// [`Refused`]; nothing was added.
pub async fn create(home: Home<'_, DynBooksUnit>, input: FiscalYearInput) -> Result<FiscalYear, Refused> {
    let mut validator = Validator::new();
    let (mut start, mut end) = (None, None);
    date(&mut validator, "startDate", &input.start_date, &mut start);
    date(&mut validator, "endDate", &input.end_date, &mut end);
    for (field, day, given) in [("startDate", start, &input.start_date), ("endDate", end, &input.end_date)] {
        let missing = day.is_none() && given.as_ref().value().is_none();
        validator.require(!missing, field, "required", "must be present");
    }
    let span = start
        .zip(end)
        .and_then(|(start, end)| validator.take("endDate", "out_of_range", Span::new(start, end)));
    let mut name = None;
    optional_line(&mut validator, "name", input.name, &mut name, 50);
    let mut attached = Extension::default();
    let given = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(&mut validator, given, &mut attached);
    validator.finish()?;
    let span = span.ok_or_else(|| StoreError::backend("two dates that hold are a span"))?;
    // One year after the other: each is judged beside all others.
    book::locked::<std::convert::Infallible>(&home, Lock::Exclusive, &[]).await?;
    judge_place(&home.unit.fiscal_years().of_company(home.company.id).await?, span)?;
    let year = FiscalYear { extension: attached, ..FiscalYear::blank(home.company.id, home.call, span) };
    home.add(FiscalYear { name: name.unwrap_or(year.name), ..year }).await
}

impl FiscalYear {
    /// An open year of these days, named after them.
    pub(in crate::books) fn blank(company: AccountId, call: CallContext<'_>, span: Span) -> Self {
        Self {
            id: FiscalYearId::generate(call.now, call.random),
            company,
            name: YearStart::name(span),
            span,
            status: YearStatus::Open,
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: call.now,
            updated_at: call.now,
        }
    }
}
