//! The audit log: records that are only ever added, and the newest of each company.
//!
//! A unit of work collects its entries and writes them as the last thing before
//! its commit:
//!
//! 1. It holds the heads of its companies, in the order of their ids. Nothing
//!    is locked after them, so no two units wait for each other in a circle,
//!    and a company's log is held for the few statements up to the commit.
//! 2. It numbers and seals the entries of each company from its head on.
//! 3. It adds the records and moves the heads.
//!
//! So numbers have no gaps: a unit that does not commit has taken none.
//!
//! A unit that changed a token, a password, a membership or a subscription and
//! told the log nothing does not commit: a use case that forgets its entry fails
//! at its first test. What is only used (a token, a session) is not changed.

mod append;
pub(crate) mod read;
mod row;
