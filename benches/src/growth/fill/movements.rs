//! The movements of a cash box, as imports brought them.

use svc_business::bank::import::BankMovementImport;
use svc_business::bank::movement::{Allocation, BankMovement, MovementState, Reconciliation, Target};
use svc_business::books::account::AccountCode;
use svc_core::id::{AccountId, BankAccountId, BankMovementImportId};
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::{cash, everything, id, import_by_hand, movement};
use time::Duration;

use crate::filling::in_units;

/// The number of the cash box.
const BOX: u32 = 1;
/// Movements of an import.
const IMPORT: u32 = 1_000;
/// The last movements, which wait to be reconciled.
const PENDING: u32 = 20;

/// The cash box.
pub(in crate::growth) fn cash_box() -> BankAccountId {
    id(BOX.into())
}

/// The import of a movement.
pub(in crate::growth) fn import_of(number: u32) -> BankMovementImportId {
    id(((number - 1) / IMPORT * IMPORT + 1).into())
}

/// Gives the company a cash box with so many movements. They have the numbers from 1 on; one in fifty is ignored, the last
/// ones wait to be reconciled, and the others have been.
pub(super) async fn move_money(database: &Database, company: AccountId, count: u32) {
    in_units(database, "cash boxes", 1, 1, async |unit, _| {
        unit.bank_accounts().insert(&everything(), &cash(company, BOX.into())).await
    })
    .await;
    in_units(database, "imports of movements", count.div_ceil(IMPORT), 1, async |unit, place| {
        let first = (place - 1) * IMPORT + 1;
        let last = (first + IMPORT - 1).min(count);
        let import = BankMovementImport {
            lines: last - first + 1,
            created: last - first + 1,
            ..import_by_hand(company, BOX.into(), first.into())
        };
        unit.bank_imports().insert(&everything(), &import).await?;
        let movements: Vec<_> = (first..=last).map(|number| moved(&import, number, count)).collect();
        unit.bank_movements().insert_all(&everything(), &movements).await
    })
    .await;
}

fn moved(import: &BankMovementImport, number: u32, count: u32) -> BankMovement {
    let cents = i64::from(number % 90_000 + 100);
    let minor = if number.is_multiple_of(3) { -cents } else { cents };
    let plain = movement(import, number.into(), minor);
    let day = plain.booking_date + Duration::days(i64::from(number % 365));
    let state = if number.is_multiple_of(50) {
        MovementState::Ignored
    } else if number + PENDING > count {
        MovementState::Pending
    } else {
        MovementState::Reconciled(Box::new(booked(&plain)))
    };
    BankMovement {
        booking_date: day,
        value_date: day,
        description: format!("Recibo {number} de Luna{number}x"),
        counterparty_name: number.is_multiple_of(2).then(|| format!("Luna{number}x Sociedad Limitada")),
        references: vec![format!("F-{number}")],
        state,
        ..plain
    }
}

/// All of it is what the bank charges.
fn booked(movement: &BankMovement) -> Reconciliation {
    let account: AccountCode = "6260000".parse().expect("digits");
    let target = Target::Account { account, description: None };
    let allocations = vec![Allocation { amount: movement.moved.amount, target }];
    Reconciliation { at: movement.created_at, by: None, is_automatic: false, allocations, entry: None }
}
