//! What a file has several of.

use sea_orm::{QueryResult, Value};
use svc_business::document::file::{File, FileLink, FileLinkType, FileVersion};
use svc_core::content::Content;
use svc_core::error::StoreError;
use svc_core::id::{ContactId, TypedId};
use uuid::Uuid;

use super::{code, is_purged};
use crate::business::cell::{Cell, named};
use crate::business::contact::TABLE as CONTACTS;
use crate::business::record::{Child, Reference};
use crate::value::broken;

pub(super) const ALL: &[Child<File>] = &[
    Child {
        table: "svc_file_versions",
        owner: "file_id",
        of_company: true,
        columns: &["number", "digest", "size", "kept_for", "mime_type", "at", "user_id", "purged"],
        references: &[],
        rows: |file| file.versions.iter().map(|version| version_row(file, version)).collect(),
        add: Some(|file, row| {
            file.versions.push(version(row)?);
            Ok(())
        }),
    },
    Child {
        table: "svc_file_links",
        owner: "file_id",
        of_company: true,
        columns: &["type", "target_id", "contact_id"],
        // Contacts are merged, and links follow them. Other records stay who they are; a draft that is erased leaves its link.
        references: &[Reference::once("contact_id", CONTACTS)],
        rows: |file| file.links.iter().map(link_row).collect(),
        add: Some(|file, row| {
            file.links.push(link(row)?);
            Ok(())
        }),
    },
    Child {
        table: "svc_file_tags",
        owner: "file_id",
        of_company: true,
        columns: &["tag", "status", "created_at"],
        references: &[],
        rows: |file| {
            let row = |tag: &String| vec![tag.put(), code(file.status).put(), file.created_at.put()];
            file.tags.iter().map(row).collect()
        },
        add: Some(|file, row| {
            file.tags.push(Cell::take(row, "tag")?);
            Ok(())
        }),
    },
];

named!(FileLinkType: name);

fn version_row(file: &File, version: &FileVersion) -> Vec<Value> {
    vec![
        version.number.put(),
        version.content.digest.put(),
        version.content.size.put(),
        version.kept_for.put(),
        version.mime_type.put(),
        version.at.put(),
        version.by.put(),
        is_purged(file.status).put(),
    ]
}

fn version(row: &QueryResult) -> Result<FileVersion, StoreError> {
    Ok(FileVersion {
        number: Cell::take(row, "number")?,
        content: Content { digest: Cell::take(row, "digest")?, size: Cell::take(row, "size")? },
        kept_for: Cell::take(row, "kept_for")?,
        mime_type: Cell::take(row, "mime_type")?,
        at: Cell::take(row, "at")?,
        by: Cell::take(row, "user_id")?,
    })
}

fn link_row(link: &FileLink) -> Vec<Value> {
    let (target, contact) = match link {
        FileLink::Contact(contact) => (None, Some(*contact)),
        FileLink::Case(_)
        | FileLink::Invoice(_)
        | FileLink::Supplier(_)
        | FileLink::SupplierDocument(_)
        | FileLink::JournalEntry(_)
        | FileLink::FixedAsset(_)
        | FileLink::BankAccount(_)
        | FileLink::BankMovement(_)
        | FileLink::Notice(_)
        | FileLink::TaxReturn(_)
        | FileLink::Envelope(_) => (Some(link.uuid()), None),
    };
    vec![link.kind().put(), target.into(), contact.put()]
}

fn link(row: &QueryResult) -> Result<FileLink, StoreError> {
    let (kind, contact): (FileLinkType, Option<ContactId>) =
        (Cell::take(row, "type")?, Cell::take(row, "contact_id")?);
    let target: Option<Uuid> = row.try_get("", "target_id").map_err(crate::error::backend)?;
    let id = contact.map(TypedId::uuid).or(target).ok_or_else(|| broken("file_links.target_id"))?;
    Ok(FileLink::of(kind, id))
}
