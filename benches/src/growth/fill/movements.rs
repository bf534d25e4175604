//! The movements of a cash box, as imports brought them.

use svc_business::bank::import::BankMovementImport;
use svc_business::bank::movement::{BankMovement, MovementState};
use svc_core::id::{AccountId, BankAccountId, BankMovementImportId};
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::{cash, everything, id, import_by_hand, movement};
use time::Duration;

use crate::filling::in_units;

/// The number of the cash box.
const BOX: u32 = 1;
/// Movements of an import.
const IMPORT: u32 = 1_000;

/// The cash box.
pub(in crate::growth) fn cash_box() -> BankAccountId {
    id(BOX.into())
}

/// The import of a movement.
pub(in crate::growth) fn import_of(number: u32) -> BankMovementImportId {
    id(((number - 1) / IMPORT * IMPORT + 1).into())
}

/// Gives the company a cash box with so many movements. They have the numbers from 1 on; one in fifty is ignored, and the
/// others wait to be reconciled.
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
        let movements: Vec<_> = (first..=last).map(|number| moved(&import, number)).collect();
        unit.bank_movements().insert_all(&everything(), &movements).await
    })
    .await;
}

fn moved(import: &BankMovementImport, number: u32) -> BankMovement {
    let cents = i64::from(number % 90_000 + 100);
    let minor = if number.is_multiple_of(3) { -cents } else { cents };
    let plain = movement(import, number.into(), minor);
    let day = plain.booking_date + Duration::days(i64::from(number % 365));
    BankMovement {
        booking_date: day,
        value_date: day,
        description: format!("Recibo {number} de Luna{number}x"),
        counterparty_name: number.is_multiple_of(2).then(|| format!("Luna{number}x Sociedad Limitada")),
        references: vec![format!("F-{number}")],
        state: if number.is_multiple_of(50) { MovementState::Ignored } else { MovementState::Pending },
        ..plain
    }
}
