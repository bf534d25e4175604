//! Clients of OAuth, grants and pairs of tokens as rows.

mod clients;
mod grants;
mod pairs;
mod reading;
