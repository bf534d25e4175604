//! What a notice refers to.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{CaseId, UserId};

use crate::case::Case;
use crate::membership::judge_member;
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
    judge_member(validator, home.unit.people(), (home.company.id, id), "assignedUserId").await
}
