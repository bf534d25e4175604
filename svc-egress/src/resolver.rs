//! Names to addresses.

use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Semaphore;

/// Resolves host names.
///
/// # Implementing this port
/// Answer every address of the name, unfiltered: the decision about them is made
/// by the caller, once per answer, and the connection goes to that very answer.
/// A name without addresses is an error or an empty answer, as you like.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// All addresses of a name, in the order in which they should be tried.
    ///
    /// # Errors
    /// When the name has no addresses or no name server answers.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the operating system: `/etc/hosts`, then the DNS.
///
/// A lookup cannot be interrupted and holds a thread until the system gives up.
/// So that slow name servers of some receivers never take all the threads of the
/// process, only [`SystemResolver::MOST_AT_ONCE`] run at a time.
#[derive(Clone, Debug)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
}

impl SystemResolver {
    /// How many lookups run at once.
    pub const MOST_AT_ONCE: usize = 128;
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { slots: Arc::new(Semaphore::new(Self::MOST_AT_ONCE)) }
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(io::Error::other)?;
        let name = name.to_owned();
        // `tokio::net::lookup_host` would do the same, but the slot must stay
        // taken when the caller's deadline passes and the lookup goes on.
        let lookup = tokio::task::spawn_blocking(move || {
            let answers = (name.as_str(), 0).to_socket_addrs().map(|found| found.map(|a| a.ip()).collect());
            drop(slot);
            answers
        });
        lookup.await.map_err(io::Error::other)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_system_knows_this_machine() {
        let found = SystemResolver::default().resolve("localhost").await.unwrap();

        assert!(!found.is_empty());
        assert!(found.iter().all(IpAddr::is_loopback), "{found:?}");
    }

    #[tokio::test]
    async fn a_name_that_cannot_exist_is_an_error() {
        assert!(SystemResolver::default().resolve("no such name").await.is_err());
    }
}
