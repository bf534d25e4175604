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
    for id in due {
        let unit = storage.begin().await?;
        let expired = async {
            let opened = alone::<SalesDocument>(unit.as_ref(), call, id, &[], &Expected::Any).await;
            operations::expire(opened.map_err(Refused::widen)?).await
        };
        // One that was answered, or of which an invoice was made, meanwhile does not expire.
        let expired = expired.await;
        let done = settle(report, unit, "a quote does not expire", expired).await?;
        report.expired_quotes = report.expired_quotes.saturating_add(u32::from(done));
    }
    report.has_more |= is_full(all, QUOTES) && report.expired_quotes > 0;
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
    for id in due {
        let unit = storage.begin().await?;
        let expired = async {
            let opened = alone::<Notice>(unit.as_ref(), call, id, &[], &Expected::Any).await;
            notice::expire(opened.map_err(Refused::widen)?).await
        };
        // One that a person accessed or rejected meanwhile does not expire.
        let expired = expired.await;
        let done = settle(report, unit, "a notice does not expire", expired).await?;
        report.expired_notices = report.expired_notices.saturating_add(u32::from(done));
    }
    report.has_more |= is_full(all, NOTICES) && report.expired_notices > 0;
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
    for id in due {
        let unit = storage.begin().await?;
        let expired = async {
            let opened = alone::<Envelope>(unit.as_ref(), call, id, &[], &Expected::Any).await;
            signature::operations::expire(opened.map_err(Refused::widen)?).await
        };
        // One that was signed by all, declined or voided meanwhile does not expire.
        let expired = expired.await;
        let done = settle(report, unit, "an envelope does not expire", expired).await?;
        report.expired_envelopes = report.expired_envelopes.saturating_add(u32::from(done));
    }
    report.has_more |= is_full(all, ENVELOPES) && report.expired_envelopes > 0;
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
    for id in due {
        let unit = storage.begin().await?;
        let reminded = async {
            let opened = alone::<Envelope>(unit.as_ref(), call, id, &[], &Expected::Any).await;
            signature::operations::remind_when_due(opened.map_err(Refused::widen)?).await
        };
        let reminded = reminded.await;
        let done = settle(report, unit, "signers are not reminded", reminded).await?;
        report.reminded_envelopes = report.reminded_envelopes.saturating_add(u32::from(done));
    }
    report.has_more |= is_full(all, ENVELOPES) && report.reminded_envelopes > 0;
    Ok(())
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
                    return Ok(());
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
