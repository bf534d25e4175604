//! XML as all formats here write and read it.

mod tree;
mod value;
mod writer;

pub(crate) use self::tree::{Node, parse};
pub(crate) use self::value::{Gaps, Place};
pub(crate) use self::writer::XmlWriter;
