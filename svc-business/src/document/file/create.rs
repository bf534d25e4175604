//! Recording a file whose content is stored.

use svc_core::content::{Content, safe_name};
use svc_core::error::{StoreError, Validator};
use svc_core::id::{AccountId, FileId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::input::apply;
use super::{File, FileInput, FileLink, FileStatus, FileVersion, hold, link};
use crate::document::folder::Folder;
use crate::party::Extension;
use crate::ports::DynDocumentUnit;
use crate::record::Home;

/// A content that was uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uploaded {
    /// What the client calls it.
    pub name: Option<String>,
    /// What it is; the content store has it.
    pub content: Content,
    /// The company for which it has it.
    pub kept_for: AccountId,
    /// Its media type, as its first bytes tell it.
    pub mime_type: String,
}

/// A file that the service makes of what a company has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its name, made safe.
    pub name: String,
    /// What it is; the content store has it for the company.
    pub content: Content,
    /// Its media type.
    pub mime_type: &'static str,
    /// What it belongs to; a record that the company does not have any more is left out.
    pub links: Vec<FileLink>,
}

/// Records a file that the service made; its content is for those who see personal data. Emits `file.create`.
///
/// # Errors
/// When the store failed; nothing was added.
pub async fn make(home: &Home<'_, DynDocumentUnit>, made: Made) -> Result<File, Refused> {
    let Made { name, content, mime_type, links } = made;
    let kept_for = home.company.id;
    let uploaded = Uploaded { name: Some(name), content, kept_for, mime_type: mime_type.to_owned() };
    let mut file = File { links: link::present(home, &links).await?, ..blank(home, uploaded) };
    let mut validator = Validator::new();
    hold::judge_retention(&mut validator, home, None, &mut file).await?;
    validator.finish()?;
    home.add(file).await
}

/// Records a file. Emits `file.create`.
///
/// # Errors
/// [`Refused`]; findings on the members of the input. Nothing was added; the content is the collector's then.
pub async fn create(
    home: Home<'_, DynDocumentUnit>,
    uploaded: Uploaded,
    input: FileInput,
) -> Result<File, Refused> {
    let mut validator = Validator::new();
    let mut file = apply(&mut validator, &blank(&home, uploaded), input);
    refer(&mut validator, &home, None, &mut file).await?;
    validator.finish()?;
    home.add(file).await
}

/// A file as it is before a client says anything of it.
fn blank(home: &Home<'_, DynDocumentUnit>, uploaded: Uploaded) -> File {
    let call = home.call;
    File {
        id: FileId::generate(call.now, call.random),
        company: home.company.id,
        name: safe_name(uploaded.name.as_deref().unwrap_or_default()),
        folder: None,
        versions: vec![version(home, uploaded, 1)],
        links: Vec::new(),
        tags: Vec::new(),
        contains_personal_data: true,
        retain_until: None,
        status: FileStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

/// An upload as the version of a file with this number.
pub(super) fn version(home: &Home<'_, DynDocumentUnit>, uploaded: Uploaded, number: u32) -> FileVersion {
    FileVersion {
        number,
        content: uploaded.content,
        kept_for: uploaded.kept_for,
        mime_type: uploaded.mime_type,
        at: home.call.now,
        by: home.call.actor.user(),
    }
}

/// Judges what a file refers to anew.
pub(super) async fn refer(
    validator: &mut Validator,
    home: &Home<'_, DynDocumentUnit>,
    before: Option<&File>,
    after: &mut File,
) -> Result<(), StoreError> {
    let was_in = before.and_then(|before| before.folder);
    if let Some(folder) = after.folder.filter(|folder| was_in != Some(*folder)) {
        let found = home.referred::<Folder>(home.unit.folders(), &[folder]).await?;
        let message = "no folder of the same company has this id";
        validator.require(!found.is_empty(), "folderId", "unknown_reference", message);
    }
    let links = before.map_or(&[][..], |before| &before.links);
    link::judge(validator, home, links, &after.links).await?;
    hold::judge_retention(validator, home, before, after).await
}
