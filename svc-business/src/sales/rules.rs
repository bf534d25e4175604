//! What a document, a series and the bodies of verbs are after a client's input, and the rules that they must pass.
//!
//! [`draft`] turns a patch and the present state into the next draft, with every broken rule named by its field.
//! [`amend`] does so for an issued document, of which little may change. What the input refers to in other areas
//! (series, contact) is looked up by the use case.

mod amend;
mod draft;
mod lines;
mod requests;
mod series;

pub use self::amend::{AmendRefused, amend};
pub use self::draft::{Setting, draft};
pub use self::lines::{LineDefaults, read_lines};
pub use self::requests::{
    NewOffset, Sending, SomePayment, read_issue, read_payment, read_rectify, read_send,
};
pub use self::series::apply_series;
