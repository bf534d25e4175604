//! The opening of a group, who may change it, and why it is not changed.

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::{AccountId, GroupId};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::whole_group;
use crate::group::{Group, GroupReader};
use crate::party::line;
use crate::ports::DynAccountUnit;

/// Why a group is not changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ChangeError {
    /// The company at the top of the group, which decides about it, is out of the caller's reach.
    #[error("only a holder or administrator of the parent account of the group may do this")]
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
}

/// A group that is about to be changed, members out of the caller's reach included.
pub struct OpenedGroup<'u> {
    pub(super) unit: &'u DynAccountUnit,
    pub(super) call: CallContext<'u>,
    pub(super) before: Group,
}

/// Opens a group, some of which is within the caller's reach.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::VersionConflict`], [`Refused::Store`].
pub async fn open<'u>(
    unit: &'u DynAccountUnit,
    call: CallContext<'u>,
    id: GroupId,
    expected: &Expected,
) -> Result<OpenedGroup<'u>, Refused> {
    // The whole group is read once; a group none of whose members is in reach is not found.
    let before = unit.groups().find(&whole_group(), id).await?.ok_or(Refused::NotFound)?;
    if !before.members.iter().any(|member| call.scope.contains(member.account)) {
        return Err(Refused::NotFound);
    }
    expected.check(before.version)?;
    Ok(OpenedGroup { unit, call, before })
}

/// Whether the company is in the group, some of which is within the scope. Of a company out of reach only who
/// reaches the one at the top learns that it is not; to others each may be.
///
/// # Errors
/// When the store failed.
pub async fn has_member<R: GroupReader + ?Sized>(
    groups: &R,
    scope: &Scope,
    id: GroupId,
    account: AccountId,
) -> Result<bool, StoreError> {
    let Some(group) = groups.find(&whole_group(), id).await? else { return Ok(false) };
    let reached = |account| scope.contains(account);
    if !group.members.iter().any(|member| reached(member.account)) {
        return Ok(false);
    }
    let is_member = group.members.iter().any(|member| member.account == account);
    Ok(is_member || !reached(account) && !reached(group.parent))
}

impl OpenedGroup<'_> {
    /// Refuses a caller who does not reach the company at the top.
    pub(super) fn decides(&self) -> Result<(), Refused<ChangeError>> {
        if self.call.scope.contains(self.before.parent) {
            Ok(())
        } else {
            Err(Refused::Own(ChangeError::ParentOnly))
        }
    }
}

/// Keeps `after` in the place of `before` with the next version, so that of two changes to the tree of a group
/// that do not know of each other only one commits.
pub(crate) async fn save(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    before: &Group,
    after: Group,
) -> Result<Group, StoreError> {
    let after = Group { version: before.version.next(), updated_at: call.now, ..after };
    unit.groups().replace(&whole_group(), before, &after).await?;
    Ok(after)
}

/// A group's name, 1 to 200 characters.
pub(super) fn name(text: &str) -> Result<String, ValidationErrors> {
    let mut validator = Validator::new();
    let name = line(&mut validator, "name", text, 200);
    validator.finish()?;
    Ok(name.unwrap_or_default())
}
