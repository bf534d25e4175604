//! Bank accounts, imports and movements with nothing that they need not have.

use svc_business::bank::import::{BankMovementImport, ImportFormat, ImportStatus, StatementBalances};
use svc_business::bank::movement::{BankMovement, Fingerprint, Moved, MovementState, Place};
use svc_business::bank::{BankAccount, BankAccountStatus, BankAccountType};
use svc_business::party::Extension;
use svc_core::id::AccountId;
use svc_core::money::Currency;
use svc_core::resource::Version;
use time::macros::date;
use uuid::Uuid;

use super::{at, euros, id};

/// A cash box with nothing that it need not have.
#[must_use]
pub fn cash(company: AccountId, number: u128) -> BankAccount {
    BankAccount {
        id: id(number),
        company,
        name: format!("Caja {number}"),
        kind: BankAccountType::Cash,
        iban: None,
        shares_iban: false,
        bic: None,
        bank_name: None,
        currency: Currency::EUR,
        account: None,
        opening: None,
        status: BankAccountStatus::Active,
        is_default: false,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(i64::try_from(number).unwrap_or(0)),
        updated_at: at(0),
    }
}

/// An import of movements that a person wrote.
#[must_use]
pub fn import_by_hand(company: AccountId, account: u128, number: u128) -> BankMovementImport {
    BankMovementImport {
        id: id(number),
        company,
        bank_account: id(account),
        format: ImportFormat::Manual,
        file_name: None,
        digest: None,
        status: ImportStatus::Completed,
        from: None,
        to: None,
        balances: StatementBalances { currency: Currency::EUR, opening: None, closing: None },
        lines: 1,
        created: 1,
        warnings: Vec::new(),
        version: Version::FIRST,
        created_at: at(i64::try_from(number).unwrap_or(0)),
        updated_at: at(0),
    }
}

/// A movement of so many cents that waits to be reconciled.
#[must_use]
pub fn movement(import: &BankMovementImport, number: u128, minor: i64) -> BankMovement {
    BankMovement {
        id: id(number),
        company: import.company,
        bank_account: import.bank_account,
        import: import.id,
        booking_date: date!(2025 - 01 - 15),
        value_date: date!(2025 - 01 - 16),
        moved: Moved { amount: euros(minor), balance_after: None },
        description: format!("Movement {number}"),
        counterparty_name: None,
        counterparty_iban: None,
        references: Vec::new(),
        bank_code: None,
        place: Place { fingerprint: Fingerprint::from_uuid(Uuid::from_u128(number)), occurrence: 0 },
        state: MovementState::Pending,
        notes: None,
        version: Version::FIRST,
        created_at: at(i64::try_from(number).unwrap_or(0)),
        updated_at: at(0),
    }
}
