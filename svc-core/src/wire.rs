//! What crosses the wire, declared once.
//!
//! An enum that is written by its name gets its names from [`wire_names!`](crate::wire_names). What a client
//! writes is declared with [`wire_patch!`](crate::wire_patch) (the merge patch of a resource, for its creation
//! and its change) or [`wire_request!`](crate::wire_request) (the body of one action), what it reads with
//! [`wire_view!`](crate::wire_view). Each declaration is the type, how serde reads or writes it, and its JSON
//! Schema ([`Described`]) at once, so that none of these can differ from the others.

mod describe;
mod form;
mod kinds;
mod member;
mod names;
mod patch;
mod request;
mod view;

pub use self::describe::{Described, Parts, nullable};
pub use self::form::Form;
pub use self::member::{Absence, Member, Object, wire_name};
pub use self::names::UnknownName;
pub use self::patch::{COMPUTED, MergePatch, Verb, patch_schema};
pub use self::request::Request;
