#![doc = include_str!("../README.md")]

pub mod auth;
pub mod business;
mod contract;
pub mod fakes;
pub mod idempotency;
pub mod postgres;
pub mod property;
pub mod webhooks;
