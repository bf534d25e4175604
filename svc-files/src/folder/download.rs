//! Reading from the folder.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use async_trait::async_trait;
use svc_core::content::{ContentError, Download};

use super::on_disk;
use crate::verified::Interrupted;

/// Bytes of a chunk.
const CHUNK: u64 = 256 * 1024;

pub(super) struct FolderDownload {
    /// `None` while a thread reads, and for good when that failed or its caller did not wait for it.
    file: Option<File>,
    size: u64,
    rest: u64,
}

impl FolderDownload {
    pub(super) fn open(path: &Path, range: Option<Range<u64>>) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let range = range.unwrap_or(0..size);
        let start = range.start.min(size);
        file.seek(SeekFrom::Start(start))?;
        Ok(Self { file: Some(file), size, rest: range.end.min(size).saturating_sub(start) })
    }
}

#[async_trait]
impl Download for FolderDownload {
    fn size(&self) -> u64 {
        self.size
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, ContentError> {
        if self.rest == 0 {
            return Ok(None);
        }
        let file = self.file.take().ok_or_else(|| ContentError::backend(Interrupted))?;
        let wanted = self.rest.min(CHUNK);
        let (file, chunk) = on_disk(move || {
            let mut chunk = Vec::with_capacity(usize::try_from(wanted).unwrap_or_default());
            (&file).take(wanted).read_to_end(&mut chunk)?;
            Ok((file, chunk))
        })
        .await?;
        if chunk.is_empty() {
            return Err(ContentError::backend(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        self.rest = self.rest.saturating_sub(chunk.len() as u64);
        self.file = Some(file);
        Ok(Some(chunk))
    }
}
