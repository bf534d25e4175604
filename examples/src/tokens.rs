//! A plain axum service with API tokens: svc-auth alone, over a storage of the
//! service's own.
//!
//! | file | what it shows |
//! |---|---|
//! | [`state`] | what svc-auth needs kept: tokens, who administers which company, audit records |
//! | [`row`] | the same as rows that can be written down |
//! | [`store`], [`mod@unit`] | the storage ports, kept in one file that is replaced as a whole |
//! | [`guard`] | the five checks before a handler, and the answers when one fails |
//! | [`app`] | routes, and the first token |

pub mod app;
pub mod guard;
pub mod row;
pub mod state;
pub mod store;
pub mod unit;
