//! Random lives of tokens, played on a storage and on the reference model.
//!
//! A [`History`] is a list of steps: people of three companies and a group
//! create, change, switch, rotate and revoke tokens, allowed to or not, in
//! order or not, while roles, API access and companies change around them.
//! [`play`] takes it through the use cases of svc-auth over a storage,
//! [`model`] reads the specification (parts 2.1, 3.1 and 5.3) instead. Both
//! write down, after each step, how it was answered and all that can be seen of
//! each token: two storages that keep the same promises give one [`Transcript`].

mod directory;
mod history;
mod model;
mod play;
mod transcript;

pub use self::history::{History, histories};
pub use self::model::model;
pub use self::play::play;
pub use self::transcript::{Answer, Moment, Seen, Transcript};
