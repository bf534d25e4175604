//! What went wrong with a file, a folder or a data room, and what to do.

pub(super) const NO_SUCH_BYTES: (&str, &str) = (
    "`Range` asks for bytes behind the end of the file; `Content-Range` tells how many it has.",
    "Ask for bytes that it has, or leave `Range` out.",
);
pub(super) const IN_USE: (&str, &str) = (
    "The file belongs to something that was issued, approved or posted, is to be kept until a later day, is what people are asked to sign or have signed, or is shown by another record.",
    "Keep it. One that was linked by mistake is unlinked with PATCH {\"links\": [], \"retainUntil\": null} first, and one that \
     `GET /data-room/files?fileId=` lists is removed from there.",
);
pub(super) const DELETED: (&str, &str) =
    ("The file was deleted: it does not change, and its content is not given any more.", "Upload it again.");
pub(super) const FULL: (&str, &str) = (
    "The file has 100 versions, the most that a file may have.",
    "Upload what follows as a file of its own.",
);
pub(super) const LINK_USED: (&str, &str) = (
    "A link for an upload takes one file, and another one came by it.",
    "Ask the assistant for another link.",
);
pub(super) const NOT_EMPTY: (&str, &str) = (
    "Folders or files are in the folder, and deleting it does not delete them.",
    "Move or delete what `GET /files?folderId=` and `GET /folders?parentId=` list first.",
);
pub(super) const NOT_DOWNLOADABLE: (&str, &str) = (
    "The data room lists the file, and gives its content to no token.",
    "Ask the company for it; who may read its files gets the content by `GET /files/{id}/content`.",
);
pub(super) const NOT_STAMPABLE: (&str, &str) = (
    "The data room gives the file with a stamp on each page, and its pages cannot be stamped any more.",
    "Ask the company for it, which can print it to a new PDF, and add that.",
);
pub(super) const EXPIRED: (&str, &str) = (
    "The time of `expiresAt` has passed, until when the data room gives the content of the file.",
    "Ask the company for it, which can remove the file from the data room and add it anew.",
);
