//! What a sales document is.

mod kind;

pub use self::kind::DocType;
