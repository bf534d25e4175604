//! Names to addresses.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::{Semaphore, watch};

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
/// process, only so many run at a time, and one of each name: who asks for a name
/// that is being looked up gets the same answer.
#[derive(Clone, Debug)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
    under_way: Arc<UnderWay>,
}

/// The names that are being looked up.
type UnderWay = Mutex<HashMap<String, watch::Receiver<Option<Answer>>>>;

/// What came of a lookup. An error cannot be cloned: its kind and its text are.
type Answer = Result<Vec<IpAddr>, (io::ErrorKind, String)>;

impl SystemResolver {
    /// How many lookups run at once, unless told otherwise.
    pub const MOST_AT_ONCE: usize = 128;

    /// One that runs so many lookups at once.
    #[must_use]
    pub fn with_slots(most: usize) -> Self {
        Self { slots: Arc::new(Semaphore::new(most)), under_way: Arc::default() }
    }

    /// The lookup of this name: one that is under way, or a new one.
    fn lookup(&self, name: &str) -> watch::Receiver<Option<Answer>> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lookup) = under_way.get(name) {
            return lookup.clone();
        }
        let (sender, receiver) = watch::channel(None);
        under_way.insert(name.to_owned(), receiver.clone());
        drop(under_way);
        let (resolver, name) = (self.clone(), name.to_owned());
        tokio::spawn(async move {
            let answer = resolver.look_up(&name).await.map_err(|error| (error.kind(), error.to_string()));
            resolver.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
            drop(sender.send(Some(answer)));
        });
        receiver
    }

    async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
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

impl Default for SystemResolver {
    fn default() -> Self {
        Self::with_slots(Self::MOST_AT_ONCE)
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut lookup = self.lookup(name);
        let answer = lookup.wait_for(Option::is_some).await.map_err(io::Error::other)?.clone();
        let answer = answer.unwrap_or_else(|| Ok(Vec::new()));
        answer.map_err(|(kind, text)| io::Error::new(kind, text))
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
    async fn a_name_is_looked_up_once_at_a_time_and_anew_afterwards() {
        let resolver = SystemResolver::with_slots(1);
        let taken = Arc::clone(&resolver.slots).acquire_owned().await.unwrap();
        let [first, second] = [(); 2].map(|()| resolver.lookup("localhost"));
        assert!(first.same_channel(&second));
        assert_eq!(resolver.under_way.lock().unwrap().len(), 1);
        drop(taken);
        assert!(!resolver.resolve("localhost").await.unwrap().is_empty());
        assert!(first.borrow().is_some() && resolver.under_way.lock().unwrap().is_empty());
        assert!(!resolver.lookup("localhost").same_channel(&first));
    }

    #[tokio::test]
    async fn a_name_that_cannot_exist_is_an_error() {
        assert!(SystemResolver::default().resolve("no such name").await.is_err());
    }
}
