//! Companies on the platform, *accounts* on the wire (specification, domain part 2.1).

mod bootstrap;
mod change;
mod create;
mod find;
mod input;
mod merge;
mod opening;
mod ports;
mod rules;
mod search;
mod state;
mod tree;
mod update;

pub(crate) use self::bootstrap::bootstrap;
pub use self::bootstrap::{BootstrapError, BootstrapRequest};
pub use self::change::{DeactivateError, ReactivateError, deactivate, reactivate, set_api_access};
pub use self::create::{CreateError, FoundRequest};
pub(crate) use self::create::{create_subsidiary, found};
pub use self::find::find;
pub use self::input::AccountInput;
pub use self::merge::{MergeError, MergeRequest, merge};
pub(crate) use self::opening::change;
pub use self::opening::{alone, open};
pub use self::ports::{AccountReader, AccountStore};
pub(crate) use self::rules::{newborn, whole_group};
pub use self::state::{Account, AccountFilter, AccountSort, AccountStatus, LegalForm, StatusFilter};
pub use self::update::{UpdateError, update};
