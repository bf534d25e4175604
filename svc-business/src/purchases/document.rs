//! What a supplier document is.
//!
//! [`SupplierDocument`] has what every document has; its [`Status`] holds what is known in each state: one that was
//! received has plans, an approved one its place in the register, dates and a snapshot of the supplier. [`Content`]
//! holds the lines together with their figures, which it computes itself, so the two never disagree.

mod action;
mod content;
mod figures;
mod kind;
mod line;
mod number;
mod payment;
mod state;
mod status;

pub use self::action::{Action, State, WrongState};
pub use self::content::Content;
pub use self::kind::{DocType, Origin};
pub use self::line::Line;
pub use self::number::{DuplicateDocument, DuplicateKey, SupplierNumber};
pub use self::payment::{Means, Payment, Settlement};
pub use self::state::SupplierDocument;
pub use self::status::{Approval, Plan, Rejection, Status, Void};
pub use crate::invoicing::{Counterparty, Ids, PaymentStatus, SettlementError};
