//! Subscriptions: which receiver gets which events (specification, parts 2.2 and 3.2).

mod audit;
mod author;
mod create;
mod headers;
mod input;
mod opening;
mod remove;
mod rotate;
mod state;
mod update;

pub use self::author::Author;
pub use self::create::{CreateRequest, Draft, TooManySubscriptions, create};
pub use self::headers::{CustomHeaders, HeaderChanges, HeaderSecret, MASK, MAX_HEADERS};
pub use self::input::{ChangeError, Subscribable};
pub use self::opening::{OpenedSubscription, open};
pub use self::remove::remove;
pub use self::rotate::rotate_secret;
pub use self::state::{CLOCK_SKEW, InFlight, Inactive, State, Subscription};
pub use self::update::{Change, UpdateRequest, update};
pub use crate::signature::SigningSecret;

/// Subscriptions that one account may have.
pub const MAX_PER_ACCOUNT: u32 = 20;
