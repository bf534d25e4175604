//! What a document and the bodies of verbs are after a client's input, and the rules that they must pass.
//!
//! [`draft`] turns a patch and the present state into the next document, with every broken rule named by its field.
//! [`amend`] does so for an approved document, of which little may change. What the input refers to in other areas
//! (the supplier) is looked up by the use case, and so is a document that came in twice.

mod amend;
mod draft;
mod lines;
mod requests;

pub use self::amend::{AmendRefused, amend};
pub use self::draft::{Setting, draft};
pub use self::lines::{LineDefaults, read_lines};
pub(crate) use self::lines::{is_cost, is_purchase_tax};
pub use self::requests::{NewOffset, SomePayment, read_approve, read_payment};
