//! What is done with the journal of a company: drafts, posting, reversal.
//!
//! Entries are posted one after the other in each fiscal year, by [`Posting`], whatever makes them: a client, another
//! area in the same unit of work, the closing of a year.

mod bulk;
mod draft;
mod filter;
mod input;
mod line;
mod posting;
mod reverse;
mod rules;
mod verify;

pub use self::bulk::{BulkRequest, create_all};
pub use self::draft::{EntryRefused, create, delete, post, update};
pub use self::filter::{EntryFilter, EntrySort, EntryStatusFilter, LineFilter, LineSort};
pub use self::input::{EntryInput, LineInput, TagInput};
pub use self::line::JournalLine;
pub use self::posting::{Posting, entry_of};
pub use self::reverse::{ReverseRequest, reverse};
pub use self::verify::{Verification, YearVerification, verify};
