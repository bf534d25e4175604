//! What the shared contract cannot ask through the ports, and the mappings member by member.

mod accounts;
mod contacts;
mod fixture;
mod groups;
mod lists;
mod people;
