//! Adding files to a data room, and taking them away.

use svc_core::digest::Digest;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::{DataRoomFileId, FileId, TypedId as _};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::input::{Said, judge};
use super::{DataRoomFile, DataRoomFileInput};
use crate::document::file::{self, File, Uploaded};
use crate::ports::DynDocumentUnit;
use crate::record::{Home, Opened};

/// Whether the pages of a content can be stamped, told by who can read it, before the unit of work begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamping {
    /// The content that was looked at.
    pub content: Digest,
    /// What was found.
    pub verdict: Result<(), Unstampable>,
}

/// Why the pages of a file cannot be stamped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unstampable {
    /// Its stable name.
    pub code: &'static str,
    /// What a person can do about it.
    pub why: String,
}

/// Adds a version of a file to a data room. `stamping` is of that version, where the input asks for stamps. Emits `data_room_file.create`.
///
/// # Errors
/// [`Refused`]; findings on the members of the input. Nothing was added.
pub async fn add(
    home: Home<'_, DynDocumentUnit>,
    mut input: DataRoomFileInput,
    stamping: Option<&Stamping>,
) -> Result<DataRoomFile, Refused> {
    let mut validator = Validator::new();
    let (id, number) = (std::mem::take(&mut input.file), std::mem::take(&mut input.file_version));
    let file = match id {
        Patch::Absent | Patch::Null => {
            validator.fail("fileId", "required", "must be present, unless a file is uploaded along");
            None
        }
        Patch::Value(id) => find(&mut validator, &home, id).await?,
    };
    let pinned = file.and_then(|file| Some((version(&mut validator, &file, number)?, file)));
    let message = "is said of a file that is uploaded along: leave it out";
    validator.require(input.uploaded == Patch::Absent, "file", "out_of_place", message);
    let said = judge(&mut validator, input, home.call.now);
    if let Some(version) = pinned.as_ref().and_then(|(number, file)| file.version_of(Some(*number))) {
        let (content, mime_type) = (version.content.digest, version.mime_type.as_str());
        judge_stamps(&mut validator, &said, (content, mime_type), stamping)?;
    }
    validator.finish()?;
    // What is missing has a finding.
    let (number, file) = pinned.ok_or_else(|| missing("fileId"))?;
    keep(&home, &file, number, said).await
}

/// Records a file whose content is stored, and adds it to a data room. Emits `file.create` and `data_room_file.create`.
///
/// # Errors
/// [`Refused`]; findings on the members of the input. Nothing was added; the content is the collector's then.
pub async fn add_uploaded(
    home: Home<'_, DynDocumentUnit>,
    uploaded: Uploaded,
    mut input: DataRoomFileInput,
    stamping: Option<&Stamping>,
) -> Result<DataRoomFile, Refused> {
    let mut validator = Validator::new();
    let message = "names another file than the one that is uploaded along: leave it out";
    validator.require(input.file == Patch::Absent, "fileId", "out_of_place", message);
    let message = "the file that is uploaded along has one version: leave it out";
    validator.require(input.file_version == Patch::Absent, "fileVersion", "out_of_place", message);
    let of_file = std::mem::take(&mut input.uploaded).value().unwrap_or_default();
    let said = judge(&mut validator, input, home.call.now);
    let (content, mime_type) = (uploaded.content.digest, uploaded.mime_type.as_str());
    judge_stamps(&mut validator, &said, (content, mime_type), stamping)?;
    validator.finish()?;
    let created = file::create(home.within(home.unit), uploaded, of_file).await;
    let file = created.map_err(|refused| refused.within("file"))?;
    let number = file.versions.last().map_or(1, |latest| latest.number);
    keep(&home, &file, number, said).await
}

/// Keeps an entry of which all was judged.
async fn keep(
    home: &Home<'_, DynDocumentUnit>,
    file: &File,
    file_version: u32,
    said: Said,
) -> Result<DataRoomFile, Refused> {
    let call = home.call;
    let section = said.section.ok_or_else(|| missing("section"))?;
    let place = home.unit.data_room().next_place(home.company.id, &section).await?;
    let entry = DataRoomFile {
        id: DataRoomFileId::generate(call.now, call.random),
        company: home.company.id,
        file: file.id,
        file_version,
        section,
        place,
        title: said.title.unwrap_or_else(|| file.name.clone()),
        watermark: said.watermark,
        downloadable: said.downloadable,
        expires_at: said.expires_at,
        added_by: call.actor.user(),
        views: 0,
        extension: said.extension,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    home.add(entry).await
}

/// Judges that the pages of a content can be stamped, where they are to be.
fn judge_stamps(
    validator: &mut Validator,
    said: &Said,
    (content, mime_type): (Digest, &str),
    stamping: Option<&Stamping>,
) -> Result<(), StoreError> {
    if !said.watermark {
        return Ok(());
    }
    if mime_type != "application/pdf" {
        let message = "only PDF files have pages that are stamped: leave it out, or add the file as PDF";
        validator.fail("watermark", "not_pdf", message);
        return Ok(());
    }
    // A version that came after the judging is judged by the next try.
    let judged = stamping.filter(|judged| judged.content == content).ok_or(StoreError::Conflict)?;
    if let Err(Unstampable { code, why }) = &judged.verdict {
        validator.fail("watermark", code, why.clone());
    }
    Ok(())
}

fn missing(field: &str) -> ValidationErrors {
    ValidationErrors::one(field, "required", "must be present")
}

/// Takes an entry away with its views; the file stays. Emits nothing.
///
/// # Errors
/// [`Refused`]; nothing was changed.
pub async fn remove(opened: Opened<'_, DataRoomFile>) -> Result<(), Refused> {
    let home = &opened.home;
    Ok(home.unit.data_room().erase(home.call.scope, &opened.before).await?)
}

/// A file of the company that was not deleted; no other unit of work deletes it meanwhile.
async fn find(
    validator: &mut Validator,
    home: &Home<'_, DynDocumentUnit>,
    id: FileId,
) -> Result<Option<File>, StoreError> {
    let found = home.referred::<File>(home.unit.files(), &[id]).await?.pop();
    let found = found.filter(|file| !file.is_deleted());
    let message = "no file of the same company that was not deleted has this id";
    validator.require(found.is_some(), "fileId", "unknown_reference", message);
    Ok(found)
}

/// The number of the version to pin.
fn version(validator: &mut Validator, file: &File, number: Patch<u32>) -> Option<u32> {
    let asked = match number {
        Patch::Absent => None,
        Patch::Null => {
            validator.fail("fileVersion", "required", "cannot be null");
            return None;
        }
        Patch::Value(number) => Some(number),
    };
    let found = file.version_of(asked).map(|version| version.number);
    let latest = file.versions.last().map_or(1, |latest| latest.number);
    let message = format!("the file has the versions 1 to {latest}");
    validator.require(found.is_some(), "fileVersion", "out_of_range", message);
    found
}
