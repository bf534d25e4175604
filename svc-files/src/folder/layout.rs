//! Where things are in the folder, and how they are made.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::hex::Hex;
use svc_core::id::AccountId;

/// The folders of a store.
#[derive(Debug)]
pub(super) struct Layout {
    root: PathBuf,
}

/// An upload's file; it is removed with this, unless it was moved away.
#[derive(Debug)]
pub(super) struct Quarantined {
    pub(super) file: File,
    path: PathBuf,
}

impl Layout {
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        // A relative path would move with the folder that the process works in.
        let layout = Self { root: std::path::absolute(root)? };
        for folder in [&layout.root, &layout.contents(), &layout.uploads()] {
            make_folder(folder)?;
        }
        drop(layout.lock_file()?);
        sync_folder(&layout.root)?;
        Ok(layout)
    }

    /// What finishes an upload holds this beside others.
    pub(super) fn lock_shared(&self) -> io::Result<File> {
        let lock = self.lock_file()?;
        lock.lock_shared()?;
        Ok(lock)
    }

    /// What deletes contents holds this alone.
    pub(super) fn lock(&self) -> io::Result<File> {
        let lock = self.lock_file()?;
        lock.lock()?;
        Ok(lock)
    }

    fn lock_file(&self) -> io::Result<File> {
        private(OpenOptions::new().read(true).write(true).create(true).truncate(false))
            .open(self.root.join("lock"))
    }

    /// Opens a file in quarantine.
    pub(super) fn quarantine(&self, name: &str) -> io::Result<Quarantined> {
        let path = self.uploads().join(name);
        let file = private(OpenOptions::new().write(true).create_new(true)).open(&path)?;
        Ok(Quarantined { file, path })
    }

    pub(super) fn uploads(&self) -> PathBuf {
        self.root.join("quarantine")
    }

    fn contents(&self) -> PathBuf {
        self.root.join("content")
    }

    pub(super) fn company(&self, company: AccountId) -> PathBuf {
        self.contents().join(company.to_string())
    }

    pub(super) fn content(&self, company: AccountId, digest: Digest) -> PathBuf {
        let (first, rest) = digest.as_bytes().split_at(1);
        self.company(company).join(Hex(first).to_string()).join(Hex(rest).to_string())
    }
}

impl Quarantined {
    /// Moves the file to its place, and makes that durable; what is there already is replaced in one step.
    pub(super) fn rename(&self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)
    }
}

impl Drop for Quarantined {
    fn drop(&mut self) {
        match fs::remove_file(&self.path) {
            // It was moved to its place, or swept.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%error, "an upload stays in quarantine until it is swept"),
            Ok(()) => {}
        }
    }
}

/// The time that a file was stored at.
pub(super) fn modified(metadata: &Metadata) -> io::Result<Timestamp> {
    let since = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Timestamp::from_unix_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX)))
}

/// Writes the time that a file is stored at.
pub(super) fn set_modified(file: &File, at: Timestamp) -> io::Result<()> {
    let since = Duration::from_micros(u64::try_from(at.unix_micros()).unwrap_or(0));
    file.set_modified(UNIX_EPOCH + since)
}

/// `None` for a file that is not there.
pub(super) fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Makes a folder and those above it; a folder that is there keeps its mode.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes the names in a folder durable.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Other systems write names with the files, and do not open folders.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
