//! The movements that an account does not have yet.

use std::collections::HashMap;

use svc_core::error::StoreError;
use svc_core::id::{BankMovementId, BankMovementImportId, TypedId as _};
use svc_core::pii::Pii;
use svc_core::resource::Version;
use svc_statement::Movement;

use super::{BankMovementImport, ImportFormat, ImportStatus, StatementBalances};
use crate::bank::BankAccount;
use crate::bank::movement::{BankMovement, Fingerprint, Moved, MovementState, Place};
use crate::party::Iban;
use crate::ports::DynBankUnit;
use crate::record::Home;

/// How many there are.
pub(super) fn number(movements: &[BankMovement]) -> u32 {
    u32::try_from(movements.len()).unwrap_or(u32::MAX)
}

/// An import of an account that is complete and brought nothing yet.
pub(super) fn begun(
    home: &Home<'_, DynBankUnit>,
    account: &BankAccount,
    format: ImportFormat,
) -> BankMovementImport {
    let call = home.call;
    BankMovementImport {
        id: BankMovementImportId::generate(call.now, call.random),
        company: account.company,
        bank_account: account.id,
        format,
        file_name: None,
        digest: None,
        status: ImportStatus::Completed,
        from: None,
        to: None,
        balances: StatementBalances { currency: account.currency, opening: None, closing: None },
        lines: 0,
        created: 0,
        warnings: Vec::new(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

/// Where movements go to: an account that no other unit of work adds to meanwhile.
pub(super) struct Intake<'h, 'u> {
    pub(super) home: &'h Home<'u, DynBankUnit>,
    pub(super) account: &'h BankAccount,
    pub(super) import: BankMovementImportId,
}

impl Intake<'_, '_> {
    /// Those of them that the account has not.
    pub(super) async fn missing(
        &self,
        movements: &[(Place, Movement)],
    ) -> Result<Vec<BankMovement>, StoreError> {
        let known = self.occurrences(movements.iter().map(|(place, _)| place.fingerprint)).await?;
        let missing = movements.iter().filter(|(place, _)| {
            known.get(&place.fingerprint).is_none_or(|number| place.occurrence >= *number)
        });
        Ok(self.made(missing.cloned().collect()))
    }

    /// All of them, behind the equal ones that the account may have.
    pub(super) async fn more(
        &self,
        movements: Vec<(Place, Movement)>,
    ) -> Result<Vec<BankMovement>, StoreError> {
        let known = self.occurrences(movements.iter().map(|(place, _)| place.fingerprint)).await?;
        let behind = |(place, movement): (Place, Movement)| {
            let number = known.get(&place.fingerprint).copied().unwrap_or_default();
            (Place { occurrence: place.occurrence.saturating_add(number), ..place }, movement)
        };
        Ok(self.made(movements.into_iter().map(behind).collect()))
    }

    async fn occurrences(
        &self,
        fingerprints: impl Iterator<Item = Fingerprint>,
    ) -> Result<HashMap<Fingerprint, u32>, StoreError> {
        let fingerprints: Vec<Fingerprint> = fingerprints.collect();
        let (company, account) = (self.account.company, self.account.id);
        self.home.unit.bank_movements().occurrences(company, account, &fingerprints).await
    }

    fn made(&self, movements: Vec<(Place, Movement)>) -> Vec<BankMovement> {
        let call = self.home.call;
        // Sorted, so that movements of one instant have the order of the statement.
        let mut ids: Vec<_> =
            movements.iter().map(|_| BankMovementId::generate(call.now, call.random)).collect();
        ids.sort_unstable();
        let made = ids.into_iter().zip(movements);
        made.map(|(id, (place, movement))| self.movement(id, place, movement)).collect()
    }

    fn movement(&self, id: BankMovementId, place: Place, movement: Movement) -> BankMovement {
        BankMovement {
            id,
            company: self.account.company,
            bank_account: self.account.id,
            import: self.import,
            booking_date: movement.booking_date,
            value_date: movement.value_date,
            moved: Moved { amount: movement.amount, balance_after: movement.balance_after },
            description: movement.description,
            counterparty_name: movement.counterparty_name,
            counterparty_iban: movement.counterparty_iban.map(Iban::from_stored).map(Pii::new),
            references: movement.references,
            bank_code: movement.bank_code,
            place,
            state: MovementState::Pending,
            notes: None,
            version: Version::FIRST,
            created_at: self.home.call.now,
            updated_at: self.home.call.now,
        }
    }
}
