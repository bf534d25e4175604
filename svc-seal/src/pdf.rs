//! The part of ISO 32000-2 that judging and sealing need: objects, cross-references, object streams.
//!
//! Objects are read when they are asked for, and each read spends from one budget of the file, so what a hostile file
//! can cost is known before it is opened.

mod file;
mod inflate;
mod object;
mod parser;
mod table;
mod xref;

pub(crate) use self::file::{File, Kind};
pub(crate) use self::inflate::content;
pub(crate) use self::object::{Dictionary, Id, Object};
