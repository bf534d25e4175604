//! Which users each end of the socket takes for the other one.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::process::geteuid;
use tokio::net::UnixStream;

const ROOT: u32 = 0;

/// Whether the server takes what this command asks: from its own user and from root.
pub(super) fn may_ask(stream: &UnixStream) -> bool {
    is_one_of(stream, &[geteuid().as_raw(), ROOT])
}

/// Whether the command tells this server its secrets: its own user's, or that of the owner of the database.
pub(super) fn may_hear(stream: &UnixStream, database: &Path) -> bool {
    let owner = std::fs::metadata(database).map(|file| file.uid()).ok();
    is_one_of(stream, &[Some(geteuid().as_raw()), owner].into_iter().flatten().collect::<Vec<_>>())
}

fn is_one_of(stream: &UnixStream, users: &[u32]) -> bool {
    stream.peer_cred().is_ok_and(|peer| users.contains(&peer.uid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_own_user_is_taken_and_another_one_is_not() {
        let (here, _there) = UnixStream::pair().expect("a pair");
        assert!(may_ask(&here));
        assert!(may_hear(&here, Path::new("/nowhere")));
        assert!(!is_one_of(&here, &[geteuid().as_raw().wrapping_add(1)]));
    }
}
