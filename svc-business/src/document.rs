//! Documents: what companies keep of files, in folders, and show of them in data rooms (specification, domain parts 10.1 and
//! 10.2).

pub mod file;
pub mod folder;
mod name;
pub mod room;
