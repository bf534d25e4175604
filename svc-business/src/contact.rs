//! Contacts: the persons and organisations that a company deals with, domain part 3.

mod anonymize;
mod create;
mod delete;
mod duplicates;
mod guards;
mod input;
mod merge;
mod rules;
mod search;
mod state;
mod update;

pub use self::anonymize::anonymize;
pub use self::create::{CreateError, create};
pub use self::delete::{DeleteError, delete};
pub use self::duplicates::{Duplicate, DuplicateReason, duplicates};
pub use self::input::{ConsentInput, ContactInput, StatusInput};
pub use self::merge::{MergeError, MergeRequest, Prefer, merge};
pub(crate) use self::merge::{pick, prefer, preferred, unite_extension};
pub use self::search::search_key;
pub use self::state::{
    Consent, Contact, ContactFilter, ContactRole, ContactSort, ContactStatus, Identity, Kind, PaymentMethod,
    StatusFilter,
};
pub use self::update::{UpdateError, update};
