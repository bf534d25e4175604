//! A folder into which notices are dropped: by people, by a program that reads mail, by one that asks a public body.
//!
//! Each file `NAME.json` is a notice as `POST /tax/notices` takes it, with its `companyId`. It is written under another name and
//! renamed, so that no half of it is read. One that was taken goes to `taken/`; one that cannot be goes to `refused/`, with the reason
//! beside it in `NAME.json.txt`.

use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use svc_business::notice::NoticeRequest;
use svc_business::notice::connector::{NoticeConnector, Taken, Waiting};
use svc_core::error::StoreError;
use tokio::fs;

/// The largest file that is read, in bytes.
const MOST: u64 = 64 * 1024;
const TAKEN: &str = "taken";
const REFUSED: &str = "refused";

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct NoticeFolder(PathBuf);

impl NoticeFolder {
    pub(crate) const fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    async fn read(&self, name: &str) -> io::Result<Result<NoticeRequest, String>> {
        let path = self.0.join(name);
        if fs::metadata(&path).await?.len() > MOST {
            return Ok(Err(format!("the file is larger than {MOST} bytes")));
        }
        let bytes = fs::read(&path).await?;
        Ok(serde_json::from_slice(&bytes).map_err(|error| format!("the file is no notice: {error}")))
    }

    /// A free place for a file in a folder beside it.
    async fn place(&self, name: &str, folder: &str) -> io::Result<PathBuf> {
        let folder = self.0.join(folder);
        fs::create_dir_all(&folder).await?;
        free(&folder, name).await
    }

    /// Moves a file; answers whether it was there. One that is gone was settled by another server.
    async fn moved(&self, name: &str, place: PathBuf) -> io::Result<bool> {
        match fs::rename(self.0.join(name), place).await {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn take(&self, name: &str) -> io::Result<()> {
        let place = self.place(name, TAKEN).await?;
        self.moved(name, place).await.map(drop)
    }

    /// The reason is there before the file is.
    async fn refuse(&self, name: &str, why: &str) -> io::Result<()> {
        let place = self.place(name, REFUSED).await?;
        let reason = place.with_added_extension("txt");
        fs::write(&reason, format!("{why}\n")).await?;
        if self.moved(name, place).await? { Ok(()) } else { fs::remove_file(reason).await }
    }
}

#[async_trait]
impl NoticeConnector for NoticeFolder {
    async fn waiting(&self, limit: usize) -> Result<Vec<Waiting>, StoreError> {
        let mut names = names(&self.0, limit).await.map_err(StoreError::backend)?;
        names.sort();
        let mut waiting = Vec::new();
        for (_, name) in names.into_iter().take(limit) {
            match self.read(&name).await {
                Ok(notice) => waiting.push(Waiting { name, notice }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    let why = "the file cannot be read by the user that the server runs as".to_owned();
                    waiting.push(Waiting { name, notice: Err(why) });
                }
                // It waits on, and keeps no other from being taken.
                Err(error) => tracing::warn!(name, %error, "a notice cannot be read"),
            }
        }
        Ok(waiting)
    }

    async fn settle(&self, name: &str, taken: &Taken) -> Result<(), StoreError> {
        let settled = match taken {
            Taken::Recorded(_) | Taken::Known => self.take(name).await,
            Taken::Refused(why) => self.refuse(name, why).await,
        };
        settled.map_err(StoreError::backend)
    }
}

/// Looked at in one round beyond those that are taken, so that a folder of any size costs the same.
const LOOKED_AT: usize = 10;

/// The files that wait, with when they were last written.
async fn names(folder: &Path, limit: usize) -> io::Result<Vec<(std::time::SystemTime, String)>> {
    fs::create_dir_all(folder).await?;
    let mut entries = fs::read_dir(folder).await?;
    let mut found = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_notice = Path::new(&name).extension().is_some_and(|kind| kind == "json");
        let Ok(about) = entry.metadata().await else { continue };
        if is_notice && about.is_file() {
            found.push((about.modified().unwrap_or(std::time::UNIX_EPOCH), name));
        }
        if found.len() >= limit.saturating_mul(LOOKED_AT) {
            break;
        }
    }
    Ok(found)
}

/// A place in a folder that no file has: with a number before the name, where one has that name already.
async fn free(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut path = folder.join(name);
    for number in 2_u32.. {
        if !fs::try_exists(&path).await? {
            break;
        }
        path = folder.join(format!("{number}-{name}"));
    }
    Ok(path)
}
