//! The admin socket: how commands reach the server that has the SQLite file.
//!
//! One process has a SQLite file. While that is a server, it carries out the
//! changes that commands bring to a Unix socket beside the file:
//!
//! 1. The server takes the lock file of the database. Only the process that
//!    has it touches the name of the socket: it removes what a killed server
//!    left there and binds its own, which is its user's from the first instant on.
//! 2. A command that finds the file taken connects. Each end asks the kernel
//!    for the user of the other. The server greets with the number of its
//!    protocol; before the greeting nothing was asked, and the command goes
//!    back to step 1 when it does not come.
//! 3. The command sends its [`Change`](crate::commands::change::Change). The
//!    server carries it out in a task of its own, so that a command that goes
//!    away does not cut it in half, forgets what it cached of tokens, and then
//!    answers what the command prints.
//!
//! A command whose connection ends between question and answer cannot know
//! whether its change was committed, and says so.

mod bind;
mod connection;
mod frame;
mod message;
mod open;
mod peer;
mod serve;

pub(crate) use self::bind::AdminSocket;
pub(crate) use self::open::{Opened, open};
pub(crate) use self::serve::serve;

use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Where the socket of a database is.
fn path_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".admin.sock");
    PathBuf::from(name)
}

/// Whether the system takes so long a path for a socket: about a hundred bytes.
fn has_room(path: &Path) -> bool {
    SocketAddr::from_pathname(path).is_ok()
}
