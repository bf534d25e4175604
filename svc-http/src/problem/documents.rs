//! Refusals of files and folders.

use svc_business::document::file::FileRefused;
use svc_business::document::folder::NotEmpty;

use super::{Code, Problem};

impl From<FileRefused> for Problem {
    fn from(refused: FileRefused) -> Self {
        let (code, state) = match refused {
            FileRefused::Deleted => (Code::FileDeleted, "deleted"),
            FileRefused::InUse(_) => (Code::FileInUse, "active"),
            FileRefused::Full => (Code::FileFull, "active"),
        };
        Self::new(code, refused.to_string()).state(state)
    }
}

impl From<NotEmpty> for Problem {
    fn from(refused: NotEmpty) -> Self {
        Self::new(Code::FolderNotEmpty, refused.to_string())
    }
}
