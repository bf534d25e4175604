//! The job of an import of many movements.

use svc_core::error::StoreError;
use svc_core::id::BankMovementImportId;
use svc_core::money::Currency;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;
use svc_statement::{Format, Movement};

use super::add::{Intake, number};
use super::file::{Kept, Reading, StatementFile};
use super::take::{movements, tell};
use super::{BankMovementImport, ImportStatus, MOST_AT_ONCE};
use crate::bank::BankAccount;
use crate::bank::movement::Place;
use crate::job::Job;
use crate::ports::BusinessStorage;
use crate::record::{alone, replace};

/// The file of an import that waits for its job.
#[derive(Debug)]
pub struct Waiting {
    import: BankMovementImportId,
    file: Vec<u8>,
    how: String,
}

/// What a claimed job is to import; `None` when that is done already.
///
/// # Errors
/// When the store failed.
pub async fn waiting(storage: &dyn BusinessStorage, job: &Job) -> Result<Option<Waiting>, StoreError> {
    let import: BankMovementImportId = job.body.parse().map_err(StoreError::backend)?;
    let found = storage.bank_imports().file(import).await?;
    Ok(found.map(|(file, how)| Waiting { import, file, how }))
}

/// The movements of an import.
#[derive(Debug)]
pub struct Read {
    import: BankMovementImportId,
    movements: Vec<(Place, Movement)>,
}

impl Waiting {
    /// Reads the file again. This takes up to a second of one processor.
    ///
    /// # Errors
    /// When it cannot be read, as it could when it came.
    pub fn read(self) -> Result<Read, StoreError> {
        let kept: Kept = serde_json::from_str(&self.how).map_err(StoreError::backend)?;
        let currency: Currency = kept.currency.parse().map_err(StoreError::backend)?;
        let format: Format = kept.format.parse().map_err(StoreError::backend)?;
        let reading = Reading { format: Some(format), mapping: kept.mapping };
        let file = StatementFile::read(None, self.file, reading, currency).map_err(StoreError::backend)?;
        Ok(Read { import: self.import, movements: movements(&file.statements, &kept.taken) })
    }
}

/// Adds the movements of an import that the account has not yet, in units of work of [`MOST_AT_ONCE`], and completes it.
/// Emits `bank_movement.create` with the last one. What an earlier run added is added no more.
///
/// # Errors
/// When the store failed, or the company is closed; what was added stays.
pub async fn proceed(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    read: &Read,
) -> Result<BankMovementImport, StoreError> {
    let mut rest = read.movements.as_slice();
    loop {
        let (part, behind) = rest.split_at(rest.len().min(MOST_AT_ONCE));
        rest = behind;
        let import = add(storage, call, read.import, part, rest.is_empty()).await?;
        if import.status == ImportStatus::Completed {
            return Ok(import);
        }
    }
}

async fn add(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    import: BankMovementImportId,
    part: &[(Place, Movement)],
    is_last: bool,
) -> Result<BankMovementImport, StoreError> {
    let unit = storage.begin().await?;
    let missing = || StoreError::backend("the import is missing");
    let account = unit.bank_imports().find(call.scope, import).await?.ok_or_else(missing)?.bank_account;
    let opened = alone::<BankAccount>(&*unit, call, account, &[], &Expected::Any).await;
    let opened = opened.map_err(|refused| {
        if let Refused::Store(error) = refused { error } else { StoreError::backend(refused) }
    })?;
    // With the account locked, no other run adds to the import.
    let before = unit.bank_imports().find(call.scope, import).await?.ok_or_else(missing)?;
    if before.status == ImportStatus::Completed {
        return Ok(before);
    }
    let intake = Intake { home: &opened.home, account: &opened.before, import };
    let missing = intake.missing(part).await?;
    unit.bank_movements().insert_all(call.scope, &missing).await?;
    let created = before.created.saturating_add(number(&missing));
    let status = if is_last { ImportStatus::Completed } else { ImportStatus::Processing };
    let after = BankMovementImport { status, created, ..before.clone() };
    let after = replace(opened.home.unit, call, &before, after).await?;
    if is_last {
        tell(&opened.home, &after).await?;
        unit.bank_imports().drop_file(&after).await?;
    }
    drop(opened);
    unit.commit().await?;
    Ok(after)
}
