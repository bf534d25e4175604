//! Taking a statement over.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{JobId, TypedId as _};
use svc_core::refused::Refused;
use svc_statement::{Movement, Statement};
use thiserror::Error;

use super::add::{Intake, begun, number};
use super::choice::{Choice, choose};
use super::file::{FILE, Kept, StatementFile};
use super::reconciling;
use super::{
    BankMovementImport, ImportStatus, ImportWarning, ImportWarningCode, MOST_AT_ONCE, MOST_WAITING,
    StatementBalances,
};
use crate::bank::movement::{Place, placed};
use crate::bank::{BankAccount, BankAccountStatus};
use crate::catalogue::event;
use crate::job::{JobKind, NewJob};
use crate::ports::DynBankUnit;
use crate::record::{Home, Opened};

/// What came of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It was taken, or a job takes it.
    New(BankMovementImport),
    /// It was sent before: nothing changed.
    Earlier(BankMovementImport),
}

/// Why movements are not taken over, whatever they are.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ImportRefused {
    /// The account is archived.
    #[error("the bank account is archived: bring it back first")]
    Archived,
    /// The statement names the account by its number, which the caller sees masked and could try out.
    #[error("a statement that names the number of its account needs a token that sees personal data")]
    NumberMasked,
    /// So many imports of the company wait that another one is refused.
    #[error("{MOST_WAITING} imports of the company are being processed: wait for one of them")]
    TooManyWaiting,
}

/// Takes the statement of a bank account that was opened [alone](crate::record::alone). Emits `bank_movement.create` when
/// it has a movement that the account had not; one that a job takes emits it later. A file that was sent before changes
/// nothing.
///
/// # Errors
/// [`Refused`] with [`ImportRefused`]; findings on `file`: `wrong_account`, `invalid_currency`. Nothing was changed.
pub async fn import(
    opened: &Opened<'_, BankAccount>,
    file: StatementFile,
) -> Result<Imported, Refused<ImportRefused>> {
    let (home, account) = (&opened.home, &opened.before);
    judge_account(account)?;
    let found = home.unit.bank_imports().with_digest(account.company, account.id, &file.digest).await?;
    if let Some(earlier) = found {
        return Ok(Imported::Earlier(earlier));
    }
    let choice = choose(account, home.call.access, &file.statements)?;
    let mut import = blank(home, account, &file, &choice);
    import.warnings.extend(gap(home, account, &import).await?);
    if usize::try_from(choice.lines).is_ok_and(|lines| lines > MOST_AT_ONCE) {
        return Ok(Imported::New(leave(home, import, &file, &choice).await?));
    }
    let movements = movements(&file.statements, &choice.taken);
    let intake = Intake { home, account, import: import.id };
    let missing = intake.missing(&movements).await?;
    import.created = number(&missing);
    import.status = ImportStatus::Completed;
    let import = home.add(import).await?;
    home.unit.bank_movements().insert_all(home.call.scope, &missing).await?;
    tell(home, &import).await?;
    Ok(Imported::New(import))
}

/// Judges that an account takes movements.
pub(super) fn judge_account(account: &BankAccount) -> Result<(), Refused<ImportRefused>> {
    match account.status {
        BankAccountStatus::Active => Ok(()),
        BankAccountStatus::Archived => Err(Refused::Own(ImportRefused::Archived)),
    }
}

/// Says that an import is complete, if it brought anything, and has it looked at where the company wants that.
pub(super) async fn tell(
    home: &Home<'_, DynBankUnit>,
    import: &BankMovementImport,
) -> Result<(), StoreError> {
    if import.created == 0 {
        return Ok(());
    }
    let number = ("movement_count", import.created.into());
    home.publish(const { event("bank_movement.create") }, import, Some(number)).await?;
    reconciling::begin(home, import).await
}

/// The movements of these statements with their places.
pub(super) fn movements(statements: &[Statement], taken: &[usize]) -> Vec<(Place, Movement)> {
    let taken = taken.iter().filter_map(|place| statements.get(*place));
    let movements: Vec<Movement> = taken.flat_map(|statement| statement.movements.iter().cloned()).collect();
    placed(&movements).into_iter().zip(movements).collect()
}

fn blank(
    home: &Home<'_, DynBankUnit>,
    account: &BankAccount,
    file: &StatementFile,
    choice: &Choice,
) -> BankMovementImport {
    BankMovementImport {
        file_name: file.name.clone(),
        digest: Some(file.digest.clone()),
        status: ImportStatus::Processing,
        from: choice.from,
        to: choice.to,
        balances: StatementBalances {
            currency: account.currency,
            opening: choice.opening,
            closing: choice.closing,
        },
        lines: choice.lines,
        warnings: choice.warnings.clone(),
        ..begun(home, account, file.format)
    }
}

/// Whether the statement begins with what the one before it ended with.
async fn gap(
    home: &Home<'_, DynBankUnit>,
    account: &BankAccount,
    import: &BankMovementImport,
) -> Result<Option<ImportWarning>, StoreError> {
    let (Some(from), Some(opening)) = (import.from, import.balances.opening) else { return Ok(None) };
    let before = home.unit.bank_imports().statement_before(account.company, account.id, from).await?;
    Ok(before.filter(|before| before.balance != opening).map(|before| {
        let (balance, date) = (before.balance, before.date);
        let message = format!(
            "the statement begins with {opening}, and the one before it ended with {balance} on {date}: \
             movements between them are missing"
        );
        ImportWarning::new(ImportWarningCode::Gap, message)
    }))
}

/// Leaves an import to a job.
async fn leave(
    home: &Home<'_, DynBankUnit>,
    import: BankMovementImport,
    file: &StatementFile,
    choice: &Choice,
) -> Result<BankMovementImport, Refused<ImportRefused>> {
    let (company, jobs) = (home.company.id, home.unit.jobs());
    if jobs.waiting(company, JobKind::BankImport, MOST_WAITING).await? >= MOST_WAITING {
        return Err(Refused::Own(ImportRefused::TooManyWaiting));
    }
    let import = home.add(import).await?;
    let kept = Kept {
        format: file.format.name().to_owned(),
        currency: import.balances.currency.code().to_owned(),
        mapping: file.mapping.clone(),
        taken: choice.taken.clone(),
    };
    let how = serde_json::to_string(&kept).map_err(StoreError::backend)?;
    home.unit.bank_imports().keep_file(&import, &file.bytes, &how).await?;
    let job = NewJob {
        id: JobId::generate(home.call.now, home.call.random),
        kind: JobKind::BankImport,
        key: import.id.to_string(),
        company: Some(company),
        body: import.id.to_string(),
        due: home.call.now,
    };
    jobs.put(&[job]).await?;
    Ok(import)
}

/// A finding on the file.
pub(super) fn finding(code: &'static str, message: impl Into<String>) -> ValidationErrors {
    ValidationErrors::one(FILE, code, message.into())
}
