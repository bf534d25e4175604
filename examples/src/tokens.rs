//! A plain axum service with API tokens: svc-auth alone, with permissions and tenants of the service's own.
//!
//! | file | what it shows |
//! |---|---|
//! | [`tenants`] | the directory of the service: which tenants there are |
//! | [`store`] | the storage port, kept in one file that is replaced as a whole |
//! | [`guard`] | the five checks before a handler, and the answers when one fails |
//! | [`app`] | permissions, routes, and how a tenant gets a token |

pub mod app;
pub mod guard;
pub mod store;
pub mod tenants;
