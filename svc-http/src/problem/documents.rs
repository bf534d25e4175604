//! Refusals of files, folders and data rooms.

use svc_business::document::file::FileRefused;
use svc_business::document::folder::NotEmpty;
use svc_business::document::room::NotShown;

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

impl From<NotShown> for Problem {
    fn from(refused: NotShown) -> Self {
        let code = match refused {
            NotShown::Withheld => Code::PersonalDataWithheld,
            NotShown::NotDownloadable => Code::FileNotDownloadable,
            NotShown::Expired => Code::DataRoomFileExpired,
        };
        Self::new(code, refused.to_string())
    }
}
