//! What sales and purchases have in common above the books: payments and what they leave, the entries of documents, and
//! what clients write alike.
//!
//! [`trade`](crate::trade) has the figures of a document and knows nothing above it. What needs contacts or books too
//! stands here, so that neither of the two areas knows the other.
//!
//! - [`Settlement`]: the payments of a document with what they leave.
//! - [`Counterparty`]: the customer or supplier as it was when the document was fixed.
//! - [`DueLeads`], [`PaymentLeads`]: what leads from money that moved to documents and payments.
//! - [`Ids`]: what new records are made with.
//! - [`input`]: members and forms that both areas read.

#![warn(clippy::arithmetic_side_effects)]

mod counterparty;
mod due;
mod ids;
pub mod input;
pub(crate) mod journal;
mod payment;
mod reconciled;
mod settlement;

pub use self::counterparty::Counterparty;
pub use self::due::{DueDocument, DueLeads, PaymentLeads, UnmatchedPayment, compact_number};
pub use self::ids::Ids;
pub use self::payment::{NewPayment, Payment};
pub use self::reconciled::{ByMoney, MatchRefused, Money};
pub use self::settlement::{PaymentStatus, Settlement, SettlementError};
