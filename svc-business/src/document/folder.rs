//! Folders: a tree for the files of a company (specification, domain part 10.1).
//!
//! What moves or deletes a folder has the tree of its company alone, and what adds one has it beside others: so no two
//! moves make a ring, and no folder is deeper than [`MOST_DEPTH`]. A name is there once in a folder, whatever its case.

mod change;
mod create;
mod input;
mod ports;
mod state;
mod tree;

pub use self::change::{NotEmpty, delete, update};
pub use self::create::create;
pub use self::input::FolderInput;
pub use self::ports::{FolderReader, FolderStore};
pub use self::state::{Folder, FolderFilter, FolderSort, Within};
pub use self::tree::{MOST_DEPTH, open_tree};
