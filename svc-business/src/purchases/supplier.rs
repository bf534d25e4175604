//! Suppliers: contacts that a company buys from, with the terms on which it does.
//!
//! A supplier is a contact in a role, so name, tax id, address and bank account are those of the contact: a new supplier
//! names a contact or describes one, which is created or changed in the same unit of work. The role `supplier` of the
//! contact comes and goes with an active supplier.

mod contact;
mod input;
mod rules;
mod state;
mod unite;

pub use self::contact::ContactRefused;
pub use self::input::SupplierInput;
pub use self::rules::{GivenContact, SupplierSetting, apply_supplier, given_contact};
pub use self::state::{Supplier, SupplierStatus, SupplierType, VatRegime, WithholdingKey};
