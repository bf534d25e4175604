//! People who sign in.

use std::fmt;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::UserId;

use crate::ports::CompanyStanding;

/// A person as the authority sees them.
#[derive(Clone, PartialEq, Eq)]
pub struct Person {
    /// Their id.
    pub id: UserId,
    /// What they sign in with.
    pub email: String,
    /// Full name.
    pub name: String,
    /// Whether they may sign in.
    pub active: bool,
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person").field("id", &self.id).field("active", &self.active).finish_non_exhaustive()
    }
}

/// Tells who people are.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::session_storage_contract!`.
#[async_trait]
pub trait PeopleDirectory: Send + Sync {
    /// The person with this id.
    async fn person(&self, id: UserId) -> Result<Option<Person>, StoreError>;

    /// The person with this e-mail address, without regard to case.
    async fn person_by_email(&self, email: &str) -> Result<Option<Person>, StoreError>;

    /// The companies, merged ones left out, of which the person is an active
    /// member, by legal name (code point by code point) and then by id. A
    /// disabled person is a member of none.
    async fn memberships(&self, person: UserId) -> Result<Vec<CompanyStanding>, StoreError>;
}
