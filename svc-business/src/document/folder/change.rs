//! Renaming, moving and deleting a folder.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use thiserror::Error;

use super::tree::MOST_DEPTH;
use super::{Folder, FolderInput, tree};
use crate::document::name::file_name;
use crate::party::{ExtensionInput, extension};
use crate::record::Opened;

/// Folders or files are in it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the folder is not empty: move or delete what is in it first")]
pub struct NotEmpty;

/// Applies a merge patch to a folder that was opened with [its tree](super::open_tree). One that changes nothing keeps the
/// version; no change emits an event.
///
/// # Errors
/// [`Refused`]; [`Refused::Taken`] with `name` where its parent has one of that name. Nothing was changed.
pub async fn update(opened: Opened<'_, Folder>, input: FolderInput) -> Result<Folder, Refused> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let after = apply(&mut validator, before, input, false);
    if after.parent != before.parent {
        let most = u32::try_from(MOST_DEPTH).unwrap_or(u32::MAX);
        let below = home.unit.folders().levels_below(before, most).await?;
        let below = usize::try_from(below).unwrap_or(usize::MAX);
        tree::judge_place(&mut validator, home, &after, below).await?;
    }
    validator.finish()?;
    opened.save(after).await
}

/// Erases an empty folder that was opened with [its tree](super::open_tree). Emits nothing.
///
/// # Errors
/// [`Refused`] with [`NotEmpty`]; nothing was changed.
pub async fn delete(opened: Opened<'_, Folder>) -> Result<(), Refused<NotEmpty>> {
    let (folders, folder) = (opened.home.unit.folders(), &opened.before);
    if folders.is_referenced(folder).await? {
        return Err(Refused::Own(NotEmpty));
    }
    Ok(folders.erase(opened.home.call.scope, folder).await?)
}

/// `base` with the input applied, its place aside; findings go to `validator`.
pub(super) fn apply(validator: &mut Validator, base: &Folder, input: FolderInput, creating: bool) -> Folder {
    let mut after = base.clone();
    match &input.name {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("name", "required", "must be present"),
        Patch::Value(text) => after.name = file_name(validator, text).unwrap_or_default(),
    }
    after.parent = input.parent.over(after.parent);
    let attached = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, attached, &mut after.extension);
    after
}
