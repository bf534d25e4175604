//! The job of a company's day.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TypedId as _;
use svc_core::unit::CallContext;

use super::{DayReport, steps};
use crate::account::{Account, AccountStatus};
use crate::job::Job;
use crate::ports::BusinessStorage;

/// A quarter of an hour: zones differ from each other by whole ones.
const STEP: Duration = Duration::from_mins(15);
/// How far the days of companies of one zone are apart at most, so that not all come in one minute.
const SPREAD: u64 = 30 * 60;

/// Does what is due for the company of a claimed job; answers what was done and when the job is due again: after the
/// next midnight of the company, or at once when more is left than one run does. `None` for a company that was absorbed:
/// its day has ended for good.
///
/// # Errors
/// When the store failed; what was done stays done.
pub async fn run(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    job: &Job,
) -> Result<(DayReport, Option<Timestamp>), StoreError> {
    let mut report = DayReport::default();
    let Some(company) = storage.accounts().find(call.scope, job.home()?).await? else {
        return Ok((report, None));
    };
    match company.status {
        AccountStatus::Active => {}
        AccountStatus::Merged { .. } => return Ok((report, None)),
        AccountStatus::Deactivated { .. } => return Ok((report, Some(next(&company, call.now)))),
    }
    steps::open_years(storage, call, &company, &mut report).await?;
    steps::expire_quotes(storage, call, &company, &mut report).await?;
    steps::expire_notices(storage, call, &company, &mut report).await?;
    steps::expire_envelopes(storage, call, &company, &mut report).await?;
    steps::remind_signers(storage, call, &company, &mut report).await?;
    steps::make_returns(storage, call, &company, &mut report).await?;
    steps::depreciate_assets(storage, call, &company, &mut report).await?;
    let due = if report.has_more { call.now } else { next(&company, call.now) };
    Ok((report, Some(due)))
}

/// Some minutes after the company's next midnight, others for each company.
fn next(company: &Account, now: Timestamp) -> Timestamp {
    let today = company.local_date(now);
    let quarter = i64::try_from(STEP.as_micros()).unwrap_or(i64::MAX);
    let mut midnight =
        Timestamp::from_unix_micros(now.unix_micros().div_euclid(quarter).saturating_mul(quarter));
    // A day of 25 hours has a hundred quarters.
    for _ in 0..=100 {
        midnight = midnight.plus(STEP);
        if company.local_date(midnight) != today {
            break;
        }
    }
    let place = company.id.uuid().as_u128().checked_rem(u128::from(SPREAD)).unwrap_or(0);
    midnight.plus(Duration::from_secs(u64::try_from(place).unwrap_or(0)))
}
