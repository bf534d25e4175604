//! Storage of companies, groups, users, memberships and contacts.

pub(crate) mod account;
mod contact;
mod group;
pub(crate) mod lock;
mod people;
pub(crate) mod rows;
pub(crate) mod value;

#[cfg(test)]
mod tests;
