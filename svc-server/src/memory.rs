//! How much memory the system gives for what the process asks.

/// Has the system give memory in small pages, not in transparent huge ones (2 MiB), of which the allocator has some for each
/// size and thread, most of them empty: a server under load held a quarter more.
#[cfg(target_os = "linux")]
pub(crate) fn in_small_pages() {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!(%error, "the system gives pages as it likes");
    }
}

/// Only Linux makes huge pages of what was asked for in small ones.
#[cfg(not(target_os = "linux"))]
pub(crate) fn in_small_pages() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn huge_pages_are_not_given() {
        super::in_small_pages();
        assert_eq!(rustix::thread::transparent_huge_pages_are_disabled(), Ok(true));
    }
}
