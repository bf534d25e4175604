//! What went wrong with a file or a folder, and what to do.

pub(super) const NO_SUCH_BYTES: (&str, &str) = (
    "`Range` asks for bytes behind the end of the file; `Content-Range` tells how many it has.",
    "Ask for bytes that it has, or leave `Range` out.",
);
pub(super) const IN_USE: (&str, &str) = (
    "The file belongs to something that was issued, approved or posted, is to be kept until a later day, or is shown by another record.",
    "Keep it. One that was linked by mistake is unlinked with PATCH {\"links\": [], \"retainUntil\": null} first.",
);
pub(super) const DELETED: (&str, &str) =
    ("The file was deleted: it does not change, and its content is not given any more.", "Upload it again.");
pub(super) const FULL: (&str, &str) = (
    "The file has 100 versions, the most that a file may have.",
    "Upload what follows as a file of its own.",
);
pub(super) const NOT_EMPTY: (&str, &str) = (
    "Folders or files are in the folder, and deleting it does not delete them.",
    "Move or delete what `GET /files?folderId=` and `GET /folders?parentId=` list first.",
);
