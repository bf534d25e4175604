//! Cases (*matters*): what a company works on for a contact (specification, domain part 4).
//!
//! A case is open, in progress or on hold, as its people say, until it is closed with an outcome; a closed one
//! changes only by being reopened. What happens to it is kept in its timeline, notes among it: entries are added
//! and never changed.

mod change;
mod create;
mod input;
mod link;
mod ports;
mod rules;
mod state;
mod timeline;

pub use self::change::{CaseClosed, NotClosed, close, note, reopen, update};
pub use self::create::create;
pub use self::input::{CaseInput, CloseRequest, StatusInput};
pub use self::link::{CaseLink, CaseLinkText, CaseLinkType};
pub use self::ports::{CaseReader, CaseStore};
pub use self::state::{
    Case, CaseFilter, CaseNumber, CaseSort, CaseStatus, CaseType, Outcome, Priority, StatusFilter,
};
pub use self::timeline::{Entry, EntryKind};
