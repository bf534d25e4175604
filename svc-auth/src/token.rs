//! Tokens: what they are, how they live, how they are made and changed
//! (specification, parts 2.1 and 3.1).

mod change;
mod create;
mod fingerprint;
mod state;
mod value;

pub use self::change::{ChangeError, disable, enable, revoke, rotate};
pub use self::create::{CreateError, CreateRequest, create};
pub use self::fingerprint::{Fingerprint, Pepper, Peppers};
pub use self::state::{IllegalStep, Lifecycle, Status, Token};
pub use self::value::{JunkToken, TokenValue};
