#![doc = include_str!("../README.md")]

pub mod audit;
pub mod auth;
pub mod budget;
pub mod business;
pub mod catalogue;
pub mod content;
mod contract;
pub mod fakes;
pub mod hostile;
pub mod idempotency;
pub mod oauth;
pub mod postgres;
pub mod property;
pub mod seen;
pub mod session;
pub mod simulation;
pub mod webhooks;
