//! The steps of a day.

use std::fmt::Display;

use svc_core::error::StoreError;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use super::DayReport;
use crate::account::Account;
use crate::books::asset::{AskedRun, DepreciationRunRequest, FixedAsset, depreciate};
use crate::books::book::Mode;
use crate::books::fiscal_year::{FiscalYear, open_next};
use crate::notice::{self, Notice};
use crate::ports::{BusinessStorage, BusinessUnit};
use crate::record::{alone, home};
use crate::sales::document::SalesDocument;
use crate::sales::operations;
use crate::signature::{self, Envelope};
use crate::tax::returns::{self, TaxReturn};

/// Quotes that expire in one run at most.
const QUOTES: u32 = 200;
/// Notices that expire in one run at most.
const NOTICES: u32 = 200;
/// Envelopes that expire, and those whose signers are reminded, in one run at most.
const ENVELOPES: u32 = 200;
/// Runs of depreciation in one day's run at most, of 500 entries each.
const RUNS: usize = 10;
/// Years that are opened in one run at most: after a long sleep.
const YEARS: usize = 10;

/// Does a verb on each of these records, in units of their own; answers on how many. One that changed meanwhile, so that the
/// verb has its own reason to refuse it, is left.
macro_rules! on_each {
    ($due:expr, $record:ty, $verb:path, $storage:expr, $call:expr, $report:expr, $what:literal) => {{
        let mut done = 0_u32;
        for id in $due {
            let unit = $storage.begin().await?;
            let outcome = async {
                let opened = alone::<$record>(unit.as_ref(), $call, id, &[], &Expected::Any).await;
                $verb(opened.map_err(Refused::widen)?).await
            };
            let outcome = outcome.await;
            done = done.saturating_add(u32::from(settle($report, unit, $what, outcome).await?));
        }
        done
    }};
}

/// Lets quotes expire that nothing came of.
pub(super) async fn expire_quotes(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    let today = company.local_date(call.now);
    let due = storage.sales().expiring(company.id, today, QUOTES).await?;
    let all = due.len();
    let done =
        on_each!(due, SalesDocument, operations::expire, storage, call, report, "a quote does not expire");
    report.expired_quotes = done;
    report.has_more |= is_full(all, QUOTES) && done > 0;
    Ok(())
}

/// Lets notices expire whose terms passed.
pub(super) async fn expire_notices(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    let today = company.local_date(call.now);
    let due = storage.notices().expiring(company.id, today, NOTICES).await?;
    let all = due.len();
    let done = on_each!(due, Notice, notice::expire, storage, call, report, "a notice does not expire");
    report.expired_notices = done;
    report.has_more |= is_full(all, NOTICES) && done > 0;
    Ok(())
}

/// Lets envelopes expire whose terms passed.
pub(super) async fn expire_envelopes(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    let due = storage.envelopes().expiring(company.id, call.now, ENVELOPES).await?;
    let all = due.len();
    let done = on_each!(
        due,
        Envelope,
        signature::operations::expire,
        storage,
        call,
        report,
        "an envelope does not expire"
    );
    report.expired_envelopes = done;
    report.has_more |= is_full(all, ENVELOPES) && done > 0;
    Ok(())
}

/// Reminds signers of envelopes, as often as those say.
pub(super) async fn remind_signers(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    let due = storage.envelopes().reminding(company.id, call.now, ENVELOPES).await?;
    let all = due.len();
    let done = on_each!(
        due,
        Envelope,
        signature::operations::remind_when_due,
        storage,
        call,
        report,
        "signers are not reminded"
    );
    report.reminded_envelopes = done;
    report.has_more |= is_full(all, ENVELOPES) && done > 0;
    Ok(())
}

/// Makes the tax returns that the company owes by now.
pub(super) async fn make_returns(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    let made = async {
        let home = home::<TaxReturn>(unit.as_ref(), call, company.id).await?;
        returns::schedule(&home).await
    };
    match made.await {
        Ok(made) if made.is_empty() => Ok(()),
        Ok(made) => {
            unit.commit().await?;
            report.returns = u32::try_from(made.len()).unwrap_or(u32::MAX);
            Ok(())
        }
        Err(refused) => note(report, "tax returns are not made", refused),
    }
}

/// Writes what fixed assets lost up to the end of the last month, as the books say.
pub(super) async fn depreciate_assets(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    let mode = storage.books().find(call.scope, company.id).await?.map(|book| book.automation.depreciation);
    let today = company.local_date(call.now);
    let last_month = today.replace_day(1).ok().and_then(time::Date::previous_day);
    let (Some(mode @ (Mode::Draft | Mode::Post)), Some(through)) = (mode, last_month) else { return Ok(()) };
    let request = DepreciationRunRequest { through: through.to_string(), post: Some(mode == Mode::Post) };
    for _ in 0..RUNS {
        let unit = storage.begin().await?;
        let run = async {
            let home = home::<FixedAsset>(unit.as_ref(), call, company.id).await.map_err(Refused::widen)?;
            let asked = AskedRun::of(&home, &request).await?;
            depreciate(&home, asked).await
        };
        match run.await {
            Ok(run) if run.assets.is_empty() => return Ok(()),
            Ok(run) => {
                unit.commit().await?;
                let written: usize = run.assets.iter().map(|asset| asset.instalments.len()).sum();
                let written = u32::try_from(written).unwrap_or(u32::MAX);
                report.instalments = report.instalments.saturating_add(written);
                if !run.has_more {
                    let left_out = run.left_out.into_iter().next();
                    return left_out.map_or(Ok(()), |left| {
                        note(report, "some fixed assets do not depreciate", Refused::Own(left.refused))
                    });
                }
            }
            Err(refused) => return note(report, "fixed assets do not depreciate", refused),
        }
    }
    report.has_more = true;
    Ok(())
}

/// Opens the fiscal years that begin within a month.
pub(super) async fn open_years(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    company: &Account,
    report: &mut DayReport,
) -> Result<(), StoreError> {
    for _ in 0..YEARS {
        let unit = storage.begin().await?;
        let opened = async {
            let home = home::<FiscalYear>(unit.as_ref(), call, company.id).await?;
            open_next(home).await
        };
        match opened.await {
            Ok(None) => return Ok(()),
            Ok(Some(_)) => {
                unit.commit().await?;
                report.years = report.years.saturating_add(1);
            }
            Err(refused) => return note(report, "the next fiscal year does not open", refused),
        }
    }
    Ok(())
}

/// Commits what was done for one record, and answers whether it was: what changed meanwhile, so that the verb has its own
/// reason to refuse it, is left.
async fn settle<T, E: Display>(
    report: &mut DayReport,
    unit: Box<dyn BusinessUnit>,
    what: &str,
    done: Result<T, Refused<E>>,
) -> Result<bool, StoreError> {
    match done {
        Ok(_) => unit.commit().await.map(|()| true),
        Err(Refused::Own(_)) => Ok(false),
        Err(refused) => note(report, what, refused).map(|()| false),
    }
}

/// Whether as many were found as one run looks at.
fn is_full(found: usize, most: u32) -> bool {
    found >= usize::try_from(most).unwrap_or(usize::MAX)
}

/// Notes what the rules refuse; what the store does is an error.
fn note<E: Display>(report: &mut DayReport, what: &str, refused: Refused<E>) -> Result<(), StoreError> {
    let why = match refused {
        Refused::Store(error) => return Err(error),
        Refused::Invalid(errors) => {
            let errors = errors.0.iter().map(|error| format!("{}: {}", error.field, error.message));
            errors.collect::<Vec<_>>().join(", ")
        }
        refused @ (Refused::UnknownCompany
        | Refused::NotFound
        | Refused::VersionConflict { .. }
        | Refused::Merged { .. }
        | Refused::CompanyClosed(_)
        | Refused::Taken { .. }
        | Refused::Own(_)) => refused.to_string(),
    };
    report.refusals.push(format!("{what}: {why}"));
    Ok(())
}
