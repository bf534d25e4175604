//! The mails of signers, in the folder that the service writes them into.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// The links that were mailed, by the address that each was sent to.
pub(super) struct Post {
    folder: PathBuf,
    read: BTreeSet<OsString>,
    links: BTreeMap<String, String>,
}

impl Post {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self { folder, read: BTreeSet::new(), links: BTreeMap::new() }
    }

    /// The path of the page of a signer.
    pub(super) fn link(&mut self, to: &str) -> Option<String> {
        if !self.links.contains_key(to) {
            self.look();
        }
        self.links.get(to).cloned()
    }

    /// Reads the mails that are new.
    fn look(&mut self) {
        for file in fs::read_dir(&self.folder).into_iter().flatten().map_while(Result::ok) {
            let (path, name) = (file.path(), file.file_name());
            if self.read.contains(&name) || path.extension().is_none_or(|kind| kind != "eml") {
                continue;
            }
            let Ok(mail) = fs::read(&path) else { continue };
            let mail = String::from_utf8_lossy(&mail);
            let to = mail.lines().find_map(|line| line.strip_prefix("To: "));
            let link = mail.split_once("/sign/").and_then(|(_, rest)| rest.split_whitespace().next());
            if let (Some(to), Some(link)) = (to, link) {
                self.links.insert(to.trim().to_owned(), format!("/sign/{link}"));
            }
            self.read.insert(name);
        }
    }
}
