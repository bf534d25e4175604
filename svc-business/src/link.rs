//! Links that people without an account are sent by mail, and the codes by which they prove that the mail is theirs.
//!
//! [`key`] tells how both are made, and what is kept of them; [`code`] how many there are, and for how long they hold.

pub mod code;
pub mod key;
