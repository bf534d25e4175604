#![doc = include_str!("../README.md")]

mod answer;
mod challenge;
mod consent;
mod cross_origin;
mod endpoint;
mod file;
mod record;
mod resource;
mod schema;
mod server;
mod text;
mod tools;

pub use self::endpoint::routes;
