//! What is done with documents that are kept, each in one unit of work: the change, its entry in the journal, its
//! record for the tax office, its history and its events.
//!
//! A document that is issued, paid, put right or voided is opened [alone](crate::record::alone), so that what is judged
//! holds until the commit. Its series, the documents that it puts right and the chain of the company are locked beside
//! it, and then the books.

mod bookkeeping;
mod change;
mod create;
mod derive;
mod issue;
mod pay;
mod quote;
mod reference;
mod refusal;
mod send;
mod series;
mod void;

pub use self::change::{delete, update};
pub use self::create::{create, preview};
pub use self::derive::{convert, duplicate, rectify};
pub use self::issue::issue;
pub use self::pay::{Paid, counterpart, pay, remove_payment};
pub(crate) use self::pay::{change_payment, record_payment, take_back};
pub use self::quote::{accept, expire, reject};
pub use self::refusal::SalesRefused;
pub use self::send::{Letter, MOST_WAITING, send, sent};
pub use self::series::{create as create_series, update as update_series};
pub use self::void::void;
