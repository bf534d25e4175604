//! Subscriptions: which receiver gets which events (specification, parts 2.2 and 3.2).

mod audit;
mod create;
mod headers;
mod input;
mod remove;
mod rotate;
mod secret;
mod state;
mod update;

pub use self::create::{CreateError, CreateRequest, Draft, create};
pub use self::headers::{CustomHeaders, HeaderChanges, HeaderSecret, MASK, MAX_HEADERS};
pub(crate) use self::input::missing_for;
pub use self::remove::{RemoveError, remove};
pub use self::rotate::{RotateError, rotate_secret};
pub use self::secret::SigningSecret;
pub use self::state::{CLOCK_SKEW, InFlight, State, Subscription};
pub use self::update::{Change, UpdateError, UpdateRequest, update};

/// Subscriptions that one account may have.
pub const MAX_PER_ACCOUNT: u32 = 20;
