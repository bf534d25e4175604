//! What is payable, paid and due.

use super::Means;
use crate::invoicing;

/// The payments of a document with what they leave.
pub type Settlement = invoicing::Settlement<Means>;
