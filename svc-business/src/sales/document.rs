//! What a sales document is.
//!
//! [`SalesDocument`] has what every document has. Its [`Kind`] holds what only some types have, its [`Status`] what is
//! known in each state: a draft has plans, an issued document a number, dates and snapshots. [`Content`] holds the
//! lines together with their figures, which it computes itself, so the two never disagree; [`Settlement`] does the same
//! with payments and what is due.

mod action;
mod content;
mod derive;
mod figures;
mod kind;
mod line;
mod parties;
mod payment;
mod rectification;
mod settlement;
mod state;
mod status;

pub use self::action::{Action, State, WrongState};
pub use self::content::Content;
pub use self::derive::ConvertRefused;
pub use self::kind::{Acceptance, DocType, Kind};
pub use self::line::Line;
pub use self::parties::Issuer;
pub use self::payment::{Means, Payment, PaymentMethod};
pub use self::rectification::{
    Effect, Method, ReasonCode, Rectification, RectificationStatus, RectifiedBy, Replaced, TaxBase,
};
pub use self::settlement::Settlement;
pub use self::state::SalesDocument;
pub use self::status::{Issue, LastSend, Plan, SendStatus, Status, Void};
pub use crate::invoicing::Counterparty as Customer;
pub use crate::invoicing::{Ids, PaymentStatus, SettlementError};
pub use crate::trade::{InvalidUnit, ItemType, UnitCode};
