//! What a client writes of a file.

use std::collections::BTreeMap;

use svc_core::error::Validator;
use svc_core::id::FolderId;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};

use super::{File, FileLink, FileLinkType, MOST_LINKS};
use crate::document::name::file_name;
use crate::party::{ExtensionInput, date, distinct_links, extension, form, kept, tags};

wire_patch! {
    /// What is said of a file, as a client writes it; its content comes beside it.
    pub struct FileInput as "File" in company computed [mimeType, size, sha256, versionNumber, versions, status] {
        /// What people call it: a name that every system can save a file by. That of the upload when left out.
        [kept] name: Patch<String> => Form::text(1, 255).example("Factura 2025-0001.pdf"),
        /// The folder that it is in, of the same company; none at the top.
        folder as "folderId": Patch<FolderId>,
        /// Records that it belongs to, of the same company, each once.
        links: Patch<Vec<FileLinkInput>> => Form::list(0, 50, &Form::ANY).json("[]"),
        /// Free labels, no two alike.
        tags: Patch<Vec<String>> => form::TAGS,
        /// Whether its content goes to those alone who see personal data; so unless said otherwise.
        [kept] contains_personal_data: Patch<bool> => Form::ANY.json("true"),
        /// The last day on which it is to be kept: not before what it is linked with is to be kept by law.
        retain_until: Patch<String> => Form::DATE,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

wire_request! {
    /// A record that a file belongs to.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FileLinkInput as "FileLink" {
        /// What kind of record it is.
        pub r#type: FileLinkType,
        /// Its id.
        pub id: String => Form::ID,
    }
}

/// `base` with the input applied, what it refers to aside; findings go to `validator`.
pub(super) fn apply(validator: &mut Validator, base: &File, input: FileInput) -> File {
    let mut after = base.clone();
    match &input.name {
        Patch::Absent => {}
        Patch::Null => validator.fail("name", "required", "cannot be null"),
        Patch::Value(text) => after.name = file_name(validator, text).unwrap_or_default(),
    }
    after.folder = input.folder.over(after.folder);
    links(validator, input.links, &mut after.links);
    tags(validator, "tags", input.tags, &mut after.tags);
    kept(validator, "containsPersonalData", input.contains_personal_data, &mut after.contains_personal_data);
    date(validator, "retainUntil", &input.retain_until, &mut after.retain_until);
    let attached = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, attached, &mut after.extension);
    after
}

fn links(validator: &mut Validator, patch: Patch<Vec<FileLinkInput>>, current: &mut Vec<FileLink>) {
    let given = match patch {
        Patch::Absent => return,
        Patch::Null => Vec::new(),
        Patch::Value(links) => links,
    };
    validator.require(given.len() <= MOST_LINKS, "links", "too_many", "must have at most 50 links");
    let some = given.get(..MOST_LINKS).unwrap_or(&given);
    *current = distinct_links(validator, some, "link", |link| FileLink::parse(link.r#type, &link.id));
}
