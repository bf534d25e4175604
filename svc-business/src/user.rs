//! People who sign in to the client area (specification, domain part 2.2).

mod create;

use svc_core::clock::Timestamp;
use svc_core::id::UserId;
use svc_core::resource::Version;

pub use self::create::{CreateRequest, create};
use crate::party::{Email, LanguageTag};

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

/// Whether a person may sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserStatus {
    /// `active`
    Active,
    /// `disabled`
    Disabled,
}

svc_core::wire_names!(UserStatus { Active = "active", Disabled = "disabled" });
