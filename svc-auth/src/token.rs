//! Tokens: what they are, how they live, how they are made and changed
//! (specification, parts 2.1 and 3.1).

pub(crate) mod audit;
mod authority;
mod change;
mod connection;
mod create;
mod expose;
mod fingerprint;
pub(crate) mod input;
mod opening;
mod sight;
mod state;
mod stored;
mod update;
mod value;

pub use self::authority::AuthorityError;
pub use self::change::{EditError, disable, enable, revoke, rotate};
pub use self::connection::{ClientId, Connection, ConnectionRole, DocumentUrl, MalformedClientId};
pub use self::create::{CreateRequest, FullRequest, create, create_full};
pub use self::expose::{Exposure, ExposureSource, report_exposed};
pub use self::fingerprint::{Fingerprint, Pepper, Peppers, Secret};
pub use self::input::Policy;
pub use self::opening::{OpenedToken, open, open_own_connection};
pub use self::sight::{Sight, sight, sight_of_person};
pub use self::state::{IllegalStep, Lifecycle, Status, Token};
pub use self::stored::StoredToken;
pub use self::update::{UpdateRequest, update};
pub use self::value::{JunkToken, TokenValue};
