//! How many files and connections the process may have open.

/// More than a busy server needs, and less than any system refuses.
#[cfg(unix)]
const ENOUGH: u64 = 32_768;

/// Raises the limit as far as the process may, and needs. What it starts with is meant for programs that
/// use `select` (often 1,024), and less than the connections of a busy server.
#[cfg(unix)]
pub(crate) fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(ENOUGH, |maximum| maximum.min(ENOUGH));
    if current.is_none_or(|current| current >= wanted) {
        return;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }) {
        Ok(()) => tracing::debug!(from = ?current, to = wanted, "more files may be open"),
        Err(error) => tracing::warn!(%error, limit = ?current, "the limit of open files stays as it is"),
    }
}

/// There is no such limit here.
#[cfg(not(unix))]
pub(crate) fn raise_limit() {}

#[cfg(all(test, unix))]
mod tests {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    use super::ENOUGH;

    #[test]
    fn the_limit_is_raised_as_far_as_it_may_be_and_lowered_never() {
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let wanted = maximum.map_or(ENOUGH, |maximum| maximum.min(ENOUGH));
        for (before, after) in [(wanted - 1, wanted), (wanted, wanted)] {
            setrlimit(Resource::Nofile, Rlimit { current: Some(before), maximum }).expect("a limit");
            super::raise_limit();
            assert_eq!(getrlimit(Resource::Nofile), Rlimit { current: Some(after), maximum });
        }
        if maximum.is_none_or(|maximum| maximum > ENOUGH) {
            setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("a limit");
            super::raise_limit();
            assert_eq!(getrlimit(Resource::Nofile), Rlimit { current: maximum, maximum });
        }
    }
}
