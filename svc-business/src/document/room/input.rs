//! What a client writes of an entry of a data room.

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::id::FileId;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use super::Section;
use crate::document::file::FileInput;
use crate::party::{Extension, ExtensionInput, extension, form, kept, line, parsed};

wire_patch! {
    /// A file that a company shows to others, as a client writes it.
    pub struct DataRoomFileInput as "DataRoomFile" in company computed [index, addedBy, views] {
        /// The file, of the same company: needed, unless one is uploaded along.
        [kept] file as "fileId": Patch<FileId>,
        /// What is said of a file that is uploaded along.
        uploaded as "file": Patch<FileInput>,
        /// The number of the version that is shown; the latest one when left out.
        [kept] file_version: Patch<u32> => Form::range(1, 100).number(1),
        /// Where it stands: at most six titles with `/` between them, which may begin with numbers.
        [always] section: Patch<String> => Form::text(1, 250).example("1 Corporate/1.2 Statutes"),
        /// What people read of it; the name of the file when left out.
        [kept] title: Patch<String> => Form::text(1, 255).example("Estatutos 2025"),
        /// Whether each page is stamped with who reads it and when, in what the data room gives: of PDF files alone.
        [kept] watermark: Patch<bool> => Form::ANY.json("false"),
        /// Whether its content is given; so unless said otherwise.
        [kept] downloadable: Patch<bool> => Form::ANY.json("true"),
        /// From when on its content is not given any more, later than now.
        expires_at: Patch<String> => Form::INSTANT.example("2099-01-31T09:15:00.000Z"),
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

/// What was said of an entry, the file aside.
pub(super) struct Said {
    pub(super) section: Option<Section>,
    pub(super) title: Option<String>,
    pub(super) watermark: bool,
    pub(super) downloadable: bool,
    pub(super) expires_at: Option<Timestamp>,
    pub(super) extension: Extension,
}

/// Judges what was said of an entry, the file aside; findings go to `validator`.
pub(super) fn judge(validator: &mut Validator, input: DataRoomFileInput, now: Timestamp) -> Said {
    let section = match &input.section {
        Patch::Absent | Patch::Null => {
            validator.fail("section", "required", "must be present");
            None
        }
        Patch::Value(text) => validator.take("section", "invalid_section", text.parse()),
    };
    let title = match &input.title {
        Patch::Absent => None,
        Patch::Null => {
            validator.fail("title", "required", "cannot be null");
            None
        }
        Patch::Value(text) => line(validator, "title", text, 255),
    };
    let (mut watermark, mut downloadable) = (false, true);
    kept(validator, "watermark", input.watermark, &mut watermark);
    kept(validator, "downloadable", input.downloadable, &mut downloadable);
    let mut expires_at = None;
    parsed(validator, "expiresAt", "invalid_instant", &input.expires_at, &mut expires_at, |at: Timestamp| at);
    if expires_at.is_some_and(|end| end <= now) {
        validator.fail("expiresAt", "out_of_range", "must be later than now");
    }
    let mut own = Extension::default();
    let attached = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, attached, &mut own);
    Said { section, title, watermark, downloadable, expires_at, extension: own }
}
