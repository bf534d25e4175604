//! What movements stand for.

use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::bank::movement::{
    Allocation, BankMovement, BankMovementStatus, MovementState, PaidDocument, Reconciliation, Target,
    TextKey,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{
    BankAccountId, JournalEntryId, JournalLineId, PaymentId, SalesDocumentId, SupplierDocumentId,
    TaxReturnId, TypedId as _, UserId,
};
use svc_core::money::{Amount, Currency};

use crate::business::cell::{Cell, Columns, numbered};
use crate::business::record::Child;
use crate::value::{broken, from_json, json};

const BROKEN: &str = "bank_movements.reconciliation";

/// The lines of the journal against which a movement stands: one movement against each.
pub(super) const LINES: Child<BankMovement> = Child {
    table: "svc_bank_matched_lines",
    owner: "movement_id",
    of_company: true,
    columns: &["line_id"],
    references: &[],
    rows: |movement| {
        let known = movement.state.reconciliation().map_or(&[][..], |known| known.allocations.as_slice());
        let line = |allocation: &Allocation| match allocation.target {
            Target::JournalLine { line } => Some(vec![line.uuid().into()]),
            Target::Invoice { .. }
            | Target::SupplierDocument { .. }
            | Target::Payment { .. }
            | Target::Account { .. }
            | Target::Transfer { .. }
            | Target::TaxReturn { .. } => None,
        };
        known.iter().filter_map(line).collect()
    },
    add: None,
};

/// The account that all of a movement was booked on, for movements with the same text.
pub(super) const BOOKINGS: Child<BankMovement> = Child {
    table: "svc_bank_bookings",
    owner: "movement_id",
    of_company: true,
    columns: &["text_key", "account_code"],
    references: &[],
    rows: |movement| {
        let booked = movement.booked_on().zip(TextKey::of(movement));
        booked.map(|(account, text)| vec![text.as_str().into(), account.put()]).into_iter().collect()
    },
    add: None,
};

numbered!(BankMovementStatus { Pending = 0, Reconciled = 1, Ignored = 2 });

#[derive(Serialize, Deserialize)]
struct StoredReconciliation {
    at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<UserId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    automatic: bool,
    allocations: Vec<StoredAllocation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<JournalEntryId>,
}

/// The amount in minor units of the movement's currency.
#[derive(Serialize, Deserialize)]
struct StoredAllocation {
    amount: i64,
    #[serde(flatten)]
    target: StoredTarget,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum StoredTarget {
    Invoice { document: SalesDocumentId, payment: PaymentId },
    SupplierDocument { document: SupplierDocumentId, payment: PaymentId },
    SalesPayment { payment: PaymentId, document: SalesDocumentId, named_account: bool },
    PurchasePayment { payment: PaymentId, document: SupplierDocumentId, named_account: bool },
    JournalLine { line: JournalLineId },
    Account { account: String, description: Option<String> },
    Transfer { account: BankAccountId },
    TaxReturn { declared: TaxReturnId },
}

/// `status`, `reconciliation`; the row has `currency` too.
impl Columns for MovementState {
    fn store(&self, values: &mut Vec<Value>) {
        let known = self.reconciliation().map(|known| {
            let allocation = |allocation: &Allocation| StoredAllocation {
                amount: allocation.amount.minor(),
                target: stored(&allocation.target),
            };
            json(&StoredReconciliation {
                at: known.at.unix_micros(),
                by: known.by,
                automatic: known.is_automatic,
                allocations: known.allocations.iter().map(allocation).collect(),
                entry: known.entry,
            })
        });
        values.extend([self.status().put(), known.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, known] = columns else { return Err(StoreError::backend("two columns")) };
        Ok(match Cell::take(row, status)? {
            BankMovementStatus::Pending => Self::Pending,
            BankMovementStatus::Ignored => Self::Ignored,
            BankMovementStatus::Reconciled => {
                let known: String = Cell::take(row, known)?;
                Self::Reconciled(Box::new(read(&known, Cell::take(row, "currency")?)?))
            }
        })
    }
}

fn read(known: &str, currency: Currency) -> Result<Reconciliation, StoreError> {
    let known: StoredReconciliation = from_json(BROKEN, known)?;
    let allocation = |stored: StoredAllocation| {
        let amount = Amount::from_minor(stored.amount, currency).map_err(|_| broken(BROKEN))?;
        Ok(Allocation { amount, target: target(stored.target)? })
    };
    Ok(Reconciliation {
        at: Timestamp::from_unix_micros(known.at),
        by: known.by,
        is_automatic: known.automatic,
        allocations: known.allocations.into_iter().map(allocation).collect::<Result<_, StoreError>>()?,
        entry: known.entry,
    })
}

fn stored(target: &Target) -> StoredTarget {
    match target.clone() {
        Target::Invoice { document, payment } => StoredTarget::Invoice { document, payment },
        Target::SupplierDocument { document, payment } => {
            StoredTarget::SupplierDocument { document, payment }
        }
        Target::Payment { payment, document: PaidDocument::Sales(document), named_account } => {
            StoredTarget::SalesPayment { payment, document, named_account }
        }
        Target::Payment { payment, document: PaidDocument::Purchase(document), named_account } => {
            StoredTarget::PurchasePayment { payment, document, named_account }
        }
        Target::JournalLine { line } => StoredTarget::JournalLine { line },
        Target::Account { account, description } => {
            StoredTarget::Account { account: account.to_string(), description }
        }
        Target::Transfer { account } => StoredTarget::Transfer { account },
        Target::TaxReturn { declared } => StoredTarget::TaxReturn { declared },
    }
}

fn target(stored: StoredTarget) -> Result<Target, StoreError> {
    Ok(match stored {
        StoredTarget::Invoice { document, payment } => Target::Invoice { document, payment },
        StoredTarget::SupplierDocument { document, payment } => {
            Target::SupplierDocument { document, payment }
        }
        StoredTarget::SalesPayment { payment, document, named_account } => {
            Target::Payment { payment, document: PaidDocument::Sales(document), named_account }
        }
        StoredTarget::PurchasePayment { payment, document, named_account } => {
            Target::Payment { payment, document: PaidDocument::Purchase(document), named_account }
        }
        StoredTarget::JournalLine { line } => Target::JournalLine { line },
        StoredTarget::Account { account, description } => {
            let account = account.parse().map_err(|_| broken(BROKEN))?;
            Target::Account { account, description }
        }
        StoredTarget::Transfer { account } => Target::Transfer { account },
        StoredTarget::TaxReturn { declared } => Target::TaxReturn { declared },
    })
}
