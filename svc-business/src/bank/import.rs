//! Imports of movements: statements of banks, and what people write by hand.
//!
//! A statement is taken whole or not at all, and only the movements that the account does not have yet come with it. One
//! of more than [`MOST_AT_ONCE`] movements is judged at once and [taken in parts](proceed) by a job, each part in a unit of
//! work of its own: a part that is done twice adds nothing.

mod add;
mod choice;
mod file;
mod list;
mod manual;
mod mapping;
mod part;
mod ports;
pub(crate) mod reconciling;
mod record;
mod state;
mod take;

pub use self::file::{Reading, StatementFile};
pub use self::list::{BankMovementImportFilter, BankMovementImportSort};
pub use self::manual::{ManualImport, ManualMovement, add_by_hand};
pub use self::mapping::{
    StatementColumn, StatementDateOrder, StatementDecimal, StatementMapping, StatementSeparator,
};
pub use self::part::{Read, Waiting, proceed, waiting};
pub use self::ports::{
    BankMovementImportReader, BankMovementImportStore, BankMovementReader, BankMovementStore, LastStatement,
};
pub use self::state::{
    BankMovementImport, ImportFormat, ImportStatus, ImportWarning, ImportWarningCode, StatementBalances,
};
pub use self::take::{ImportRefused, Imported, import};

/// Movements that are taken within the request at most.
pub const MOST_AT_ONCE: usize = 2_000;
/// Imports of a company that wait for their job at most.
pub const MOST_WAITING: u32 = 10;
