#![doc = include_str!("../README.md")]

mod answer;
mod challenge;
mod consent;
mod cross_origin;
mod endpoint;
mod record;
mod schema;
mod server;
mod text;
mod tools;

pub use self::endpoint::routes;
