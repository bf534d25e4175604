#![doc = include_str!("../README.md")]

pub mod account;
pub mod bank;
pub mod books;
pub mod case;
pub mod catalogue;
pub mod contact;
pub mod daily;
mod decimal;
pub mod document;
pub mod founding;
pub mod group;
mod half_digest;
pub mod invoicing;
pub mod job;
pub mod magnitude;
pub mod mail;
pub mod membership;
pub mod notice;
pub mod party;
pub mod ports;
pub mod purchases;
pub mod record;
pub mod sales;
pub mod tax;
pub mod trade;
pub mod treasury;
pub mod user;
