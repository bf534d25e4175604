//! The tree that the folders of a company are.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{AccountId, FolderId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Lock};
use svc_core::unit::CallContext;
use uuid::Uuid;

use super::Folder;
use crate::ports::DynDocumentUnit;
use crate::record::{Home, Opened, alone_beside};

/// So many folders are within one another at most.
pub const MOST_DEPTH: usize = 10;

/// Opens a folder to move or delete it: no other unit of work changes the tree of its company meanwhile.
///
/// # Errors
/// As of [`open`](crate::record::open).
pub async fn open_tree<'u>(
    unit: &'u DynDocumentUnit,
    call: CallContext<'u>,
    id: FolderId,
    expected: &Expected,
) -> Result<Opened<'u, Folder>, Refused> {
    let found = unit.folders().find(call.scope, id).await?.ok_or(Refused::NotFound)?;
    alone_beside(unit, call, id, &[(root(found.company), Lock::Exclusive)], expected).await
}

/// Locks the tree for a folder that is added.
pub(super) async fn share(home: &Home<'_, DynDocumentUnit>) -> Result<(), StoreError> {
    let tree = [(root(home.company.id), Lock::Shared)];
    home.unit.accounts().find_locked(home.call.scope, home.company.id, Lock::Shared, &tree).await.map(drop)
}

/// Stands for the tree among the locks of its company: no record has this id.
fn root(company: AccountId) -> Uuid {
    Uuid::from_u128(!company.uuid().as_u128())
}

/// Judges the place of a folder with so many levels below it; the tree is locked.
pub(super) async fn judge_place(
    validator: &mut Validator,
    home: &Home<'_, DynDocumentUnit>,
    folder: &Folder,
    below: usize,
) -> Result<(), StoreError> {
    let mut above = 0_usize;
    let mut next = folder.parent;
    while let Some(id) = next {
        if id == folder.id {
            validator.fail("parentId", "invalid_value", "must not be the folder itself, or one within it");
            return Ok(());
        }
        let found = home.unit.folders().find(home.call.scope, id).await?;
        let Some(parent) = found.filter(|parent| parent.company == home.company.id) else {
            let message = "no folder of the same company has this id";
            validator.fail("parentId", "unknown_reference", message);
            return Ok(());
        };
        above = above.saturating_add(1);
        if above > MOST_DEPTH {
            break;
        }
        next = parent.parent;
    }
    let depth = above.saturating_add(1).saturating_add(below);
    let message = "at most 10 folders may be within one another";
    validator.require(depth <= MOST_DEPTH, "parentId", "too_deep", message);
    Ok(())
}
