//! The jobs that look for what the movements of an import stand for.

use svc_core::error::StoreError;
use svc_core::id::{AccountId, BankMovementId, BankMovementImportId, JobId, TypedId as _};
use svc_core::unit::CallContext;

use super::BankMovementImport;
use crate::job::{Job, JobKind, NewJob};
use crate::ports::{DynAccountUnit, DynBankUnit};
use crate::record::Home;

/// Puts the job of a complete import, where the books of the company say that the service reconciles by itself.
pub(super) async fn begin(
    home: &Home<'_, DynBankUnit>,
    import: &BankMovementImport,
) -> Result<(), StoreError> {
    let book = home.unit.books().find(home.call.scope, import.company).await?;
    if book.is_some_and(|book| book.automation.auto_reconcile) {
        put(home.unit, home.call, (import.company, import.id), None).await?;
    }
    Ok(())
}

/// Puts the job of the pending movements of an import behind one of them.
pub(crate) async fn put(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    (company, import): (AccountId, BankMovementImportId),
    after: Option<BankMovementId>,
) -> Result<(), StoreError> {
    let place = after.map_or_else(|| import.to_string(), |after| format!("{import}/{after}"));
    let job = NewJob {
        id: JobId::generate(call.now, call.random),
        kind: JobKind::BankReconcile,
        key: place.clone(),
        company: Some(company),
        body: place,
        due: call.now,
    };
    unit.jobs().put(&[job]).await
}

/// The import that a job is about, and the movement behind which it begins.
pub(crate) fn place(job: &Job) -> Result<(BankMovementImportId, Option<BankMovementId>), StoreError> {
    let (import, after) = job.body.split_once('/').map_or((&*job.body, None), |(one, two)| (one, Some(two)));
    let after = after.map(str::parse).transpose().map_err(StoreError::backend)?;
    Ok((import.parse().map_err(StoreError::backend)?, after))
}
