//! Files: what companies keep, version by version (specification, domain part 10.1).
//!
//! A record names its contents, and the bytes are in a [content store](svc_core::content::ContentStore). They are there
//! before the record is committed, and leave it by the [collector](collect) alone: once a day it deletes what no record
//! names, and a file names nothing any more [thirty days](KEPT_FOR) after it was deleted.
//!
//! A version says for which company its content is kept. That is the one that uploaded it, also when the file has moved to
//! another one since: contents stay where they are when a company is absorbed, and the job of that company goes on.

mod change;
mod collect;
mod create;
mod hold;
mod input;
mod link;
mod ports;
mod state;

pub use self::change::{FileRefused, add_version, delete, update};
pub use self::collect::{CollectReport, KEPT_FOR, collect};
pub use self::create::{Made, Uploaded, create, make};
pub use self::hold::FileHold;
pub use self::input::{FileInput, FileLinkInput};
pub use self::link::{FileLink, FileLinkType};
pub use self::ports::{FileReader, FileStore};
pub use self::state::{
    File, FileFilter, FileSort, FileStatus, FileStatusFilter, FileVersion, MOST_LINKS, MOST_VERSIONS,
};
