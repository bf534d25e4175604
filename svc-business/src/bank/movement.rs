//! Movements of bank accounts: what came in and what went out, as the bank tells it.
//!
//! A movement comes with an [import](super::import) and stays: nothing erases it or changes what the bank said. It waits
//! until it is reconciled with what it paid, or is ignored.
//!
//! Statements overlap. A movement is known by its [`Fingerprint`] and by how many equal ones there are before it, so that
//! two equal payments of one day are two, and a statement that has both again adds none.

mod fingerprint;
mod hidden;
mod list;
mod reconciliation;
mod record;
mod state;
mod text_key;
mod update;

pub use self::fingerprint::{Fingerprint, Place, placed};
pub use self::hidden::without_ibans;
pub use self::list::{BankMovementFilter, BankMovementSort, Direction};
pub use self::reconciliation::{Allocation, MovementState, PaidDocument, Reconciliation, Target, TargetKind};
pub use self::state::{BankMovement, BankMovementStatus, Moved};
pub use self::text_key::TextKey;
pub use self::update::{BankMovementPatch, MovementReconciled, update};
