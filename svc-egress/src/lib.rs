#![doc = include_str!("../README.md")]

pub mod address;
mod client;
mod config;
mod connection;
mod connector;
mod guard;
mod idle_limit;

mod policy;
mod resolver;
mod target;
mod trace;
mod write_timeout;

pub use client::HyperSender;
pub use config::{ConfigError, EgressConfig};
pub use ipnet::IpNet;
pub use resolver::{Resolver, SystemResolver};
pub use rustls::pki_types::CertificateDer;
