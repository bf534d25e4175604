//! Pages of a list.

pub(crate) use crate::window::{Window, count};
