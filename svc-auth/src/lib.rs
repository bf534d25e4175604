#![doc = include_str!("../README.md")]

pub mod approval;
pub mod authenticate;
pub mod calls;
pub mod client_address;
pub mod ip;
pub mod limit;
pub mod oauth;
mod parts;
pub mod ports;
pub mod principal;
pub mod scope;
pub mod session;
pub mod token;
pub mod upload;
