//! What a notice refers to.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{CaseId, UserId};

use crate::case::Case;
use crate::membership::MembershipStatus;
use crate::ports::DynNoticeUnit;
use crate::record::Home;

/// Judges a case that a notice newly names.
pub(super) async fn case(
    validator: &mut Validator,
    home: &Home<'_, DynNoticeUnit>,
    id: CaseId,
) -> Result<(), StoreError> {
    let found = home.referred::<Case>(home.unit.cases(), &[id]).await?;
    let message = "no case of the same company has this id";
    validator.require(!found.is_empty(), "caseId", "unknown_reference", message);
    Ok(())
}

/// Judges a member that a notice newly names.
pub(super) async fn member(
    validator: &mut Validator,
    home: &Home<'_, DynNoticeUnit>,
    id: UserId,
) -> Result<(), StoreError> {
    let found = home.unit.people().membership(home.company.id, id).await?;
    let is_active = found.is_some_and(|member| member.status == MembershipStatus::Active);
    let message = "no active member of the company has this id";
    validator.require(is_active, "assignedUserId", "unknown_reference", message);
    Ok(())
}
