//! Clients of OAuth, approvals and pairs of tokens as rows.

mod clients;
mod grants;
mod pairs;
mod reading;
