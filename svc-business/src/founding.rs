//! The founding of companies: what belongs to a company from its first moment.
//!
//! A company begins with its books, its tax profile, the series of its sales documents, and the jobs of its day and of its
//! contents. Areas above
//! accounts hang on here, so that no company is without what they keep of each.

use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use crate::account::{
    self, Account, AccountInput, BootstrapError, BootstrapRequest, CreateError, FoundRequest, newborn,
};
use crate::books::book;
use crate::job::{JobKind, NewJob};
use crate::ports::{BusinessStorage, DynSalesUnit};
use crate::sales::document::Ids;
use crate::sales::standard_series;
use crate::tax::profile;
use crate::user::User;

/// Founds a stand-alone company with its holder and its books. Emits account.create on the company itself.
///
/// # Errors
/// [`Refused`] with [`CreateError`]; nothing was added.
pub async fn found(
    unit: &DynSalesUnit,
    call: CallContext<'_>,
    request: FoundRequest,
) -> Result<Account, Refused<CreateError>> {
    let company = account::found(unit, call, request).await?;
    begin(unit, call, &company).await?;
    Ok(company)
}

/// Adds a subsidiary of `input.parent` (required), held by `creator`, in the parent's group, with its books.
///
/// Reaching the parent is enough, wherever in its group that is: the new company is in the reach of the
/// group's tokens, and its maker gets no reach of the group by it. The log of the company at the top of
/// the group tells of it.
///
/// A parent without a group becomes the parent company of a new one, which
/// emits account.update for it. Emits account.create with the parent as the
/// event's company.
///
/// # Errors
/// [`Refused`] with [`CreateError`]; nothing was added.
pub async fn create_subsidiary(
    unit: &DynSalesUnit,
    call: CallContext<'_>,
    input: AccountInput,
    creator: UserId,
) -> Result<Account, Refused<CreateError>> {
    let company = account::create_subsidiary(unit, call, input, creator).await?;
    begin(unit, call, &company).await?;
    Ok(company)
}

/// Begins a fresh system: founds its first company with a new person as its holder.
///
/// The password of the holder and the first token are for svc-auth, in the same unit of work:
/// `svc_auth::session::set_password` and `svc_auth::token::create_full`.
///
/// # Errors
/// [`Refused`] with [`BootstrapError`]; nothing was added.
pub async fn bootstrap(
    unit: &DynSalesUnit,
    call: CallContext<'_>,
    request: BootstrapRequest,
) -> Result<(Account, User), Refused<BootstrapError>> {
    let (company, holder) = account::bootstrap(unit, call, request).await?;
    begin(unit, call, &company).await?;
    Ok((company, holder))
}

/// Begins the books, the tax profiles and the days of companies that were founded before there were any, each in a unit
/// of its own; answers how many.
///
/// # Errors
/// When the store failed; what was begun stays.
pub async fn complete(storage: &dyn BusinessStorage, call: CallContext<'_>) -> Result<u64, StoreError> {
    let books = begin_books(storage, call).await?;
    let profiles = begin_profiles(storage, call).await?;
    let days = begin_jobs(storage, call, JobKind::CompanyDay).await?;
    let contents = begin_jobs(storage, call, JobKind::FileContents).await?;
    Ok(books.saturating_add(profiles).saturating_add(days).saturating_add(contents))
}

async fn begin_jobs(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    kind: JobKind,
) -> Result<u64, StoreError> {
    let mut begun = 0_u64;
    loop {
        let missing = storage.jobs().without(kind, 100).await?;
        if missing.is_empty() {
            return Ok(begun);
        }
        let jobs: Vec<_> = missing.iter().map(|company| NewJob::of_company(call, kind, *company)).collect();
        let unit = storage.begin().await?;
        unit.jobs().put(&jobs).await?;
        unit.commit().await?;
        begun = begun.saturating_add(u64::try_from(jobs.len()).unwrap_or(u64::MAX));
    }
}

async fn begin_books(storage: &dyn BusinessStorage, call: CallContext<'_>) -> Result<u64, StoreError> {
    let mut begun = 0_u64;
    loop {
        let missing = storage.books().missing(100).await?;
        if missing.is_empty() {
            return Ok(begun);
        }
        for company in storage.accounts().find_all(call.scope, &missing).await? {
            let unit = storage.begin().await?;
            begin(unit.as_ref(), call, &company).await?;
            unit.commit().await?;
            begun = begun.saturating_add(1);
        }
    }
}

async fn begin_profiles(storage: &dyn BusinessStorage, call: CallContext<'_>) -> Result<u64, StoreError> {
    let mut begun = 0_u64;
    loop {
        let missing = storage.tax_profiles().missing(100).await?;
        if missing.is_empty() {
            return Ok(begun);
        }
        let unit = storage.begin().await?;
        for company in storage.accounts().find_all(call.scope, &missing).await? {
            profile::begin(unit.as_ref(), call, &company).await?;
            begun = begun.saturating_add(1);
        }
        unit.commit().await?;
    }
}

/// Begins what a company keeps from its first moment: its books, its tax profile, its series, and its days. Emits
/// nothing.
///
/// # Errors
/// When the store failed; nothing was added.
pub async fn begin(unit: &DynSalesUnit, call: CallContext<'_>, company: &Account) -> Result<(), StoreError> {
    book::begin(unit, call, company).await?;
    profile::begin(unit, call, company).await?;
    begin_sales(unit, call, company).await?;
    let job = |kind| NewJob::of_company(call, kind, company.id);
    unit.jobs().put(&[job(JobKind::CompanyDay), job(JobKind::FileContents)]).await
}

/// Begins the sales of a company: with the series that number its documents unless it says otherwise.
async fn begin_sales(
    unit: &DynSalesUnit,
    call: CallContext<'_>,
    company: &Account,
) -> Result<(), StoreError> {
    let ids = Ids { now: call.now, random: call.random };
    for series in standard_series(company.id, &ids) {
        unit.series().insert(&newborn(company.id), &series).await?;
    }
    Ok(())
}
