//! People who sign in to the client area (specification, domain part 2.2).

mod create;
mod letter;

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::UserId;
use svc_core::resource::Version;

pub(crate) use self::create::awaited;
pub use self::create::{CreateRequest, create};
pub use self::letter::PersonLetter;
use crate::party::line;
use crate::party::{Email, LanguageTag};

/// Characters of a name.
const LONGEST_NAME: usize = 200;

/// A person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Their id.
    pub id: UserId,
    /// What they sign in with: unique without regard to case.
    pub email: Email,
    /// Full name.
    pub name: String,
    /// Language of the pages.
    pub locale: LanguageTag,
    /// Whether a second factor is set up.
    pub mfa_enabled: bool,
    /// Whether they may sign in.
    pub status: UserStatus,
    /// Counts their changes.
    pub version: Version,
    /// When they were added.
    pub created_at: Timestamp,
    /// When they were last changed.
    pub updated_at: Timestamp,
}

impl User {
    /// The same person under another name, which they were not asked for before.
    ///
    /// # Errors
    /// What is wrong with the name, under `name`.
    pub fn renamed(&self, name: &str, locale: LanguageTag, now: Timestamp) -> Result<Self, ValidationErrors> {
        let mut validator = Validator::new();
        let name = line(&mut validator, "name", name, LONGEST_NAME);
        validator.finish()?;
        let name = name.unwrap_or_default();
        Ok(Self { name, locale, version: self.version.next(), updated_at: now, ..self.clone() })
    }
}

/// Whether a person may sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserStatus {
    /// `active`
    Active,
    /// `disabled`
    Disabled,
}

svc_core::wire_names!(UserStatus { Active = "active", Disabled = "disabled" });
