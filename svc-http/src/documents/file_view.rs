//! A file as a response carries it. Nothing in it is masked.

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::document::file::{File, FileLinkType, FileStatus, FileVersion};
use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::id::{AccountId, FileId, FolderId, UserId};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;

wire_view! {
    /// What is said of a file of a company.
    #[derive(Debug)]
    pub(super) struct FileView as "File" {
        id: FileId,
        object: &'static str => Form::one_of(&["file"]),
        company_id: AccountId,
        version: i64,
        name: String => Form::ANY.example("Factura 2025-0001.pdf"),
        /// The folder that it is in; none at the top.
        folder_id: Option<FolderId> => Form::ANY.json("null"),
        /// Of the latest version, as its first bytes tell it.
        mime_type: String => Form::ANY.example("application/pdf"),
        /// Bytes of the latest version.
        size: u64 => Form::range(1, i64::MAX).number(48_213),
        /// SHA-256 of the latest version.
        sha256: Digest => Form::ANY.example("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
        /// The number of the latest version, from 1.
        version_number: u32 => Form::range(1, 100).number(1),
        /// Every version, the first one first.
        versions: Vec<VersionView>,
        /// Records that it belongs to.
        links: Vec<LinkView> => Form::ANY.json("[]"),
        tags: Vec<String> => Form::ANY.json("[]"),
        /// Whether its content goes to those alone who see personal data.
        contains_personal_data: bool,
        /// The last day on which it is to be kept.
        retain_until: Option<String> => Form::DATE.json("null"),
        status: &'static str => Form::one_of(FileStatus::NAMES),
        /// When it was deleted; its contents are kept for 30 days after that.
        deleted_at: Option<Timestamp> => Form::ANY.json("null"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// One content of a file.
    #[derive(Debug)]
    pub(super) struct VersionView as "FileVersion" {
        number: u32 => Form::range(1, 100).number(1),
        sha256: Digest => Form::ANY.example("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
        size: u64 => Form::range(1, i64::MAX).number(48_213),
        mime_type: String => Form::ANY.example("application/pdf"),
        at: Timestamp,
        /// The person who uploaded it; none for a token.
        by: Option<UserId> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// A record that a file belongs to.
    #[derive(Debug)]
    pub(super) struct LinkView as "FileLinkShown" {
        r#type: FileLinkType,
        id: String => Form::ID,
    }
}

/// A single file as an answer.
pub(super) fn answer(status: StatusCode, file: &File) -> Answer {
    Answer::plain(status, &FileView::of(file)).of(file.company).version(file.version)
}

impl FileView {
    pub(super) fn of(file: &File) -> Self {
        let latest = file.versions.last();
        let deleted_at = match file.status {
            FileStatus::Active => None,
            FileStatus::Deleted { at, .. } => Some(at),
        };
        Self {
            id: file.id,
            object: File::NAME,
            company_id: file.company,
            version: file.version.as_i64(),
            name: file.name.clone(),
            folder_id: file.folder,
            mime_type: latest.map(|latest| latest.mime_type.clone()).unwrap_or_default(),
            size: latest.map_or(0, |latest| latest.content.size),
            // A file has one version at least.
            sha256: latest.map_or(Digest::from_bytes([0; 32]), |latest| latest.content.digest),
            version_number: latest.map_or(0, |latest| latest.number),
            versions: file.versions.iter().map(VersionView::of).collect(),
            links: file.links.iter().map(|link| LinkView { r#type: link.kind(), id: link.id() }).collect(),
            tags: file.tags.clone(),
            contains_personal_data: file.contains_personal_data,
            retain_until: file.retain_until.map(|last| last.to_string()),
            status: file.status.name(),
            deleted_at,
            external_id: file.extension.external_id.clone(),
            metadata: file.extension.metadata.clone(),
            created_at: file.created_at,
            updated_at: file.updated_at,
        }
    }
}

impl VersionView {
    fn of(version: &FileVersion) -> Self {
        Self {
            number: version.number,
            sha256: version.content.digest,
            size: version.content.size,
            mime_type: version.mime_type.clone(),
            at: version.at,
            by: version.by,
        }
    }
}
