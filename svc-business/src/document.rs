//! Documents: what companies keep of files, in folders (specification, domain part 10.1).

pub mod file;
pub mod folder;
mod name;
