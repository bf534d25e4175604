//! Writers of each format, plain ones: what they write, the readers read.

pub(crate) mod camt;
pub(crate) mod csv;
pub(crate) mod n43;
