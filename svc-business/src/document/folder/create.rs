//! Adding a folder.

use svc_core::error::Validator;
use svc_core::id::{FolderId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::change::apply;
use super::{Folder, FolderInput, tree};
use crate::party::Extension;
use crate::ports::DynDocumentUnit;
use crate::record::Home;

/// Adds a folder. Emits nothing.
///
/// # Errors
/// [`Refused`]; findings on the members of the input; [`Refused::Taken`] with `name` where its parent has one of that
/// name. Nothing was added.
pub async fn create(home: Home<'_, DynDocumentUnit>, input: FolderInput) -> Result<Folder, Refused> {
    let call = home.call;
    let blank = Folder {
        id: FolderId::generate(call.now, call.random),
        company: home.company.id,
        name: String::new(),
        parent: None,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    let mut validator = Validator::new();
    let folder = apply(&mut validator, &blank, input, true);
    tree::share(&home).await?;
    tree::judge_place(&mut validator, &home, &folder, 0).await?;
    validator.finish()?;
    home.add(folder).await
}
