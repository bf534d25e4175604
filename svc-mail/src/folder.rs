//! Mail into a folder.

use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use svc_business::mail::{Mail, MailError, Mailer};
use tokio::fs;
use tokio::io::AsyncWriteExt as _;

use crate::message::{Sender, message};

/// Writes each mail into a folder as a file `ID.eml` in the form of RFC 5322.
#[derive(Clone, Debug)]
pub struct FolderMailer {
    folder: PathBuf,
    sender: Sender,
}

impl FolderMailer {
    /// A mailer for this folder, which is made with the first mail.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, sender: Sender) -> Self {
        Self { folder: folder.into(), sender }
    }
}

#[async_trait]
impl Mailer for FolderMailer {
    async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        let text = message(mail, &self.sender)?.formatted();
        let name = self.folder.join(format!("{}.eml", mail.id));
        write(&self.folder, &name, &text)
            .await
            .map_err(|error| MailError::ForNow(format!("{} cannot be written: {error}", name.display())))
    }
}

/// A file is there whole or not at all, also after a crash of the machine. It holds links that are secrets, so the user of
/// the server alone may read it.
async fn write(folder: &Path, name: &Path, text: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder).await?;
    let unfinished = name.with_extension("part");
    let written = whole(&unfinished, text).await;
    if written.is_err() {
        drop(fs::remove_file(&unfinished).await);
    }
    written?;
    fs::rename(&unfinished, name).await?;
    if cfg!(unix) {
        fs::File::open(folder).await?.sync_all().await?;
    }
    Ok(())
}

async fn whole(unfinished: &Path, text: &[u8]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(unfinished).await?;
    file.write_all(text).await?;
    file.sync_all().await
}
