//! Files and folders with nothing that they need not have.

use svc_business::document::file::{File, FileStatus, FileVersion};
use svc_business::document::folder::Folder;
use svc_business::party::Extension;
use svc_core::content::{Content, Digest};
use svc_core::id::{AccountId, FolderId};
use svc_core::resource::Version;

use super::{at, id};

/// A version of a file, with content of its own.
#[must_use]
pub fn file_version(company: AccountId, number: u32, text: &str) -> FileVersion {
    FileVersion {
        number,
        content: Content { digest: Digest::of(text.as_bytes()), size: 1 << 40 },
        kept_for: company,
        mime_type: "application/pdf".to_owned(),
        at: at(i64::from(number)),
        by: None,
    }
}

/// A file with as little as there can be.
#[must_use]
pub fn file(company: AccountId, number: u32) -> File {
    File {
        id: id(u128::from(number)),
        company,
        name: format!("Contrato {number}.pdf"),
        folder: None,
        versions: vec![file_version(company, 1, &format!("file {number}"))],
        links: Vec::new(),
        tags: Vec::new(),
        contains_personal_data: false,
        retain_until: None,
        status: FileStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(i64::from(number)),
        updated_at: at(i64::from(number)),
    }
}

/// A folder with this name.
#[must_use]
pub fn folder(company: AccountId, number: u32, parent: Option<FolderId>, name: &str) -> Folder {
    Folder {
        id: id(u128::from(number)),
        company,
        name: name.to_owned(),
        parent,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(i64::from(number)),
        updated_at: at(i64::from(number)),
    }
}
