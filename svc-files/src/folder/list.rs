//! Listing a company's contents.

use std::fs;
use std::io;
use std::path::Path;

use svc_core::content::{Content, Digest, Stored};

use super::layout::{metadata, modified};

/// The contents of a company's folder after a digest, in order, `limit` at most.
pub(super) fn page(company: &Path, after: Option<Digest>, limit: usize) -> io::Result<Vec<Stored>> {
    let after = after.map(|digest| digest.to_string());
    let first_shard = after.as_deref().and_then(|text| text.get(..2)).unwrap_or_default();
    let mut page = Vec::new();
    for shard in names(company)?.iter().filter(|shard| shard.as_str() >= first_shard) {
        let folder = company.join(shard);
        for name in names(&folder)? {
            if page.len() >= limit {
                return Ok(page);
            }
            let text = format!("{shard}{name}");
            // What another program put here is no content.
            let Ok(digest) = text.parse() else { continue };
            if after.as_ref().is_some_and(|after| text <= *after) {
                continue;
            }
            // It may be deleted meanwhile.
            let Some(metadata) = metadata(&folder.join(name))? else { continue };
            let content = Content { digest, size: metadata.len() };
            page.push(Stored { content, at: modified(&metadata)? });
        }
    }
    Ok(page)
}

/// The names in a folder, in order; none when the folder is not there.
pub(super) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}
