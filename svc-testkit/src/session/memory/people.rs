//! People in memory, and the companies that they are members of.

use async_trait::async_trait;
use svc_auth::ports::{CompanyStanding, PeopleDirectory, Person};
use svc_core::error::StoreError;
use svc_core::id::UserId;

use super::MemorySessions;

#[async_trait]
impl PeopleDirectory for MemorySessions {
    async fn person(&self, id: UserId) -> Result<Option<Person>, StoreError> {
        let person = self.read()?.people.get(&id).cloned();
        Ok(person.map(|person| self.today(person)))
    }

    async fn person_by_email(&self, email: &str) -> Result<Option<Person>, StoreError> {
        let wanted = email.to_lowercase();
        let same = |person: &&Person| person.email.to_lowercase() == wanted;
        let person = self.read()?.people.values().find(same).cloned();
        Ok(person.map(|person| self.today(person)))
    }

    async fn memberships(&self, person: UserId) -> Result<Vec<CompanyStanding>, StoreError> {
        self.up()?;
        Ok(self.auth.read_directory(|directory| directory.memberships(person)))
    }
}

impl MemorySessions {
    /// The person, who may be disabled in the directory that tokens share.
    fn today(&self, person: Person) -> Person {
        let active = !self.auth.read_directory(|directory| directory.is_disabled(person.id));
        Person { active, ..person }
    }
}
