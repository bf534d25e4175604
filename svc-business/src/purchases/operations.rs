//! What is done with suppliers and documents that are kept, each in one unit of work: the change, its entry in the
//! journal, the fixed assets that it makes, and its events.
//!
//! A document that is judged, paid or voided is opened [alone](crate::record::alone), so that what is judged holds until
//! the commit. The book of received documents is locked beside it, and then the books.

mod approve;
mod bookkeeping;
mod document;
mod import;
mod pay;
mod reference;
mod refusal;
mod supplier;
mod void;

pub use self::approve::{approve, reject, reopen};
pub use self::document::{create, update};
pub use self::import::{ImportRequest, import};
pub use self::pay::{Paid, counterpart, pay, remove_payment};
pub(crate) use self::pay::{change, record_payment, take_back};
pub use self::refusal::{PurchaseRefused, SupplierRefused};
pub use self::supplier::{create as create_supplier, update as update_supplier};
pub use self::void::void;
