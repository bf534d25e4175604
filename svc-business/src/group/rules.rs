//! Who may change a group, and why it is not changed.

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::{AccountId, GroupId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::whole_group;
use crate::group::Group;
use crate::party::line;
use crate::ports::BusinessUnit;

/// Why a group is not changed.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is no such group within reach.
    #[error("no such group")]
    NotFound,
    /// The group is not at the version that the client expects.
    #[error("the group is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// The company at the top of the group, which decides about it, is out of the caller's reach.
    #[error("only who administers the parent account of the group may do this")]
    ParentOnly,
    /// There is no such company, or it is not active.
    #[error("no such active account: {0}")]
    UnknownAccount(AccountId),
    /// The company is in a group already.
    #[error("{0} is in a group already")]
    InGroup(AccountId),
    /// The company is not in this group.
    #[error("{0} is not in the group")]
    NotInGroup(AccountId),
    /// The company at the top does not leave while others are in the group.
    #[error("the parent account cannot leave while other accounts are in the group")]
    ParentStays,
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The whole group, members out of reach included, if any of it is within the caller's reach.
pub(super) async fn load(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: GroupId,
    expected: Option<Version>,
) -> Result<Group, ChangeError> {
    if unit.groups().find(call.scope, id).await?.is_none() {
        return Err(ChangeError::NotFound);
    }
    let group = unit.groups().find(&whole_group(), id).await?.ok_or(ChangeError::NotFound)?;
    match expected {
        Some(expected) if expected != group.version => {
            Err(ChangeError::VersionConflict { current: group.version })
        }
        Some(_) | None => Ok(group),
    }
}

/// Refuses a caller who does not reach the company at the top.
pub(super) fn decides(call: CallContext<'_>, group: &Group) -> Result<(), ChangeError> {
    if call.scope.contains(group.parent) { Ok(()) } else { Err(ChangeError::ParentOnly) }
}

/// A group's name, 1 to 200 characters.
pub(super) fn name(text: &str) -> Result<String, ValidationErrors> {
    let mut validator = Validator::new();
    let name = line(&mut validator, "name", text, 200);
    validator.finish()?;
    Ok(name.unwrap_or_default())
}
