//! Contacts: the persons and organisations that a company deals with (specification, domain part 3).

mod anonymize;
mod create;
mod delete;
mod duplicates;
mod guards;
mod input;
mod merge;
mod ports;
mod rules;
mod search;
mod state;
mod update;

pub use self::anonymize::anonymize;
pub(crate) use self::create::create_supplier;
pub(crate) use self::create::described;
pub use self::create::{DuplicateTaxId, create};
pub use self::delete::{InUse, delete};
pub use self::duplicates::{Duplicate, DuplicateReason, duplicates};
pub use self::input::{ConsentInput, ContactInput, StatusInput};
pub use self::merge::{MergeError, MergeRequest, merge};
pub use self::ports::{ContactReader, ContactStore};
pub use self::state::{
    Consent, Contact, ContactFilter, ContactRole, ContactSort, ContactStatus, Identity, Kind, PaymentMethod,
    StatusFilter,
};
pub use self::update::{open, update};
