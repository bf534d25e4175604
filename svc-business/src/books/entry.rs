//! Journal entries: what moves money between accounts, and the chain that shows that none was altered.
//!
//! An entry begins as a draft, which may be unbalanced and may go away. Posting gives it the next number of its
//! fiscal year and binds it to the entry before it by a hash; from then on its effect never changes and it never goes
//! away. What is wrong is put right by a reversal: a second entry with every side turned. The first one is then
//! `reversed`, which only marks that the other exists: both keep counting in every balance.
//!
//! # The chain
//! Each posted entry keeps a SHA-256 over a text of its effect and of the hash before it
//! ([`canonical_text`] says how it is written). Numbers and hashes run per fiscal
//! year, because entries of a year are still posted after the next one has begun. Description, reference and attached
//! files can be changed after posting and are not part of it; of what a merge or a later due date changes, the state of the
//! day of posting is.

mod chain;
mod due;
mod hash;
mod kind;
mod line;
mod movement;
mod post;
mod rate;
mod reverse;
mod rules;
mod source;
mod state;
mod tags;
mod tax_tag;
#[cfg(test)]
mod tests;
mod totals;

pub use self::chain::{Broken, Head, verify_chain};
pub use self::hash::{EntryHash, EntryHashError, canonical_text};
pub use self::kind::EntryKind;
pub use self::line::Line;
pub use self::movement::Movement;
pub use self::post::{Books, PostRefused};
pub use self::rate::{FxRate, FxRateError};
pub use self::reverse::{Reversal, ReverseRefused, Reversed};
pub use self::rules::{KnownAccount, KnownAccounts, judge_draft};
pub use self::source::{Source, SourceError};
pub use self::state::{ChangeRefused, Entry, EntryStatus, Posting};
pub use self::tags::judge_tags;
pub use self::tax_tag::{Particulars, TagKind, TaxCode, TaxCodeError, TaxTag};
pub use self::totals::Totals;
