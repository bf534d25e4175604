//! The socket itself: made for its owner alone, and removed at the end.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener as StdListener;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::process::umask;
use tokio::net::UnixListener;

use super::{has_room, path_of};

/// A bound socket; its name goes with it.
///
/// To be dropped before the database is closed: once the lock file is free, the name is another server's.
pub(crate) struct AdminSocket {
    pub(super) listener: UnixListener,
    path: PathBuf,
}

/// Why there is no admin socket.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BindError {
    /// More than the system takes.
    #[error("the path {} is too long for a socket", path.display())]
    TooLong {
        /// The path.
        path: PathBuf,
    },
    /// It is not for us to remove.
    #[error("{} is there and is no socket", path.display())]
    Occupied {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("the socket {} cannot be made", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What it said.
        #[source]
        source: io::Error,
    },
}

impl AdminSocket {
    /// Binds the socket of a database whose lock file this process has.
    ///
    /// # Errors
    /// [`BindError`].
    pub(crate) fn bind(database: &Path) -> Result<Self, BindError> {
        let path = path_of(database);
        let failed = |source| BindError::Io { path: path.clone(), source };
        if !has_room(&path) {
            return Err(BindError::TooLong { path });
        }
        match std::fs::symlink_metadata(&path) {
            Ok(there) if there.file_type().is_socket() => std::fs::remove_file(&path).map_err(failed)?,
            Ok(_) => return Err(BindError::Occupied { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let bound = bind_private(&path).map_err(failed)?;
        // It is the owner's alone already: nothing of it is to be executed either.
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(failed)?;
        bound.set_nonblocking(true).map_err(failed)?;
        let listener = UnixListener::from_std(bound).map_err(failed)?;
        Ok(Self { listener, path })
    }
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::warn!(%error, "the admin socket {} cannot be removed", self.path.display());
        }
    }
}

/// Binds a socket that other users cannot connect to, not even for the instant until its mode is set.
fn bind_private(path: &Path) -> io::Result<StdListener> {
    let _private = Private::begin();
    StdListener::bind(path)
}

/// As long as it lives, what is made is for its owner alone.
///
/// What other threads make meanwhile is for its owner alone too, which hurts none of it.
struct Private(Mode);

impl Private {
    fn begin() -> Self {
        Self(umask(Mode::RWXG | Mode::RWXO))
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        umask(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_socket_is_for_its_owner_alone_replaces_a_dead_one_and_goes_with_its_server() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("svc.db");
        let path = path_of(&database);
        // A listener of the standard library leaves its name behind, as a server does that is killed.
        drop(StdListener::bind(&path).expect("bound"));
        let socket = AdminSocket::bind(&database).expect("bound");
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        tokio::net::UnixStream::connect(&path).await.expect("it listens");
        drop(socket);
        assert!(!path.exists());
    }

    #[test]
    fn other_users_cannot_connect_before_the_mode_is_set_either() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("svc.db.admin.sock");
        let _bound = bind_private(&path).expect("bound");
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o077, 0);
    }

    #[tokio::test]
    async fn what_is_no_socket_stays_and_what_is_too_long_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("svc.db");
        std::fs::write(path_of(&database), "a file").expect("written");
        assert!(matches!(AdminSocket::bind(&database), Err(BindError::Occupied { .. })));
        assert!(path_of(&database).exists());
        let database = folder.path().join("x".repeat(120));
        assert!(matches!(AdminSocket::bind(&database), Err(BindError::TooLong { .. })));
    }
}
