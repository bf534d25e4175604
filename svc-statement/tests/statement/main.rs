//! Statements of every format, read.
