//! Random lives of tokens, played on a storage and on the reference model.
//!
//! A [`History`] is a list of steps: people of three companies and a group
//! create, change, switch, rotate and revoke tokens, allowed to or not, in
//! order or not, while roles, API access and companies change around them.
//! [`play`] takes it through the use cases of svc-auth over a storage,
//! [`model`] reads the specification (parts 2.1, 3.1 and 5.3) instead. Both
//! write down, after each step, how it was answered and all that can be seen of
//! each token: two storages that keep the same promises give one [`Transcript`].
//! [`auth_storage_model!`](crate::auth_storage_model) is the test of a storage.

mod check;
mod directory;
mod history;
mod model;
mod play;
mod transcript;

use crate::contract::contract;

contract! {
    $
    /// Runs random lives of tokens as a test in the module `$name`, on a storage beside a model of the
    /// specification: see [`steps`](crate::auth::steps).
    ///
    /// The fixture is an [`AuthFixture`](crate::auth::AuthFixture): the lives have people and groups. Where it has the
    /// audit log of its units, that is compared too. `SVC_TEST_CASES` sets the number of histories,
    /// `SVC_TEST_SEED` repeats a run.
    auth_storage_model by contract_tests_in_module at auth::model_cases {
        check: tokens_live_as_the_model_says;
    }
}

pub use self::history::{History, histories};
pub use self::model::model;
pub use self::play::play;
pub use self::transcript::{Answer, Moment, Seen, Transcript};
