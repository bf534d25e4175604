//! `/files`, `/folders` and `/data-room/files` (specification, domain parts 10.1 and 10.2).

mod content;
mod file_view;
mod files;
mod folders;
mod room;
mod room_view;
mod stamped;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::document::file::FileInput;
use svc_business::document::folder::FolderInput;
use svc_business::document::room::DataRoomFileInput;

use self::content::FileContent;
pub(crate) use self::content::{given, read};
use self::file_view::FileView;
use self::files::{UploadForm, VersionForm};
use self::folders::FolderView;
use self::room::EntryForm;
use self::room_view::{DataRoomFileView, DataRoomViewView};
pub(crate) use self::stamped::{Reading, stamped};
use crate::accept;
use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const READ: ByToken = ByToken::With(permission("documents:files.read"));
const CREATE: ByToken = ByToken::With(permission("documents:files.create"));
const UPDATE: ByToken = ByToken::With(permission("documents:files.update"));
const DELETE: ByToken = ByToken::With(permission("documents:files.delete"));
const READ_FOLDERS: ByToken = ByToken::With(permission("documents:folders.read"));
const CREATE_FOLDERS: ByToken = ByToken::With(permission("documents:folders.create"));
const UPDATE_FOLDERS: ByToken = ByToken::With(permission("documents:folders.update"));
const DELETE_FOLDERS: ByToken = ByToken::With(permission("documents:folders.delete"));
const READ_ROOM: ByToken = ByToken::With(permission("documents:data_room.read"));
const CREATE_ROOM: ByToken = ByToken::With(permission("documents:data_room.create"));
const DELETE_ROOM: ByToken = ByToken::With(permission("documents:data_room.delete"));

const ALL: &str = "/files";
const ONE: &str = "/files/{id}";
const FOLDERS: &str = "/folders";
const FOLDER: &str = "/folders/{id}";
const ROOM: &str = "/data-room/files";
const ENTRY: &str = "/data-room/files/{id}";

pub(crate) fn routes() -> Vec<Route> {
    [of_files(), of_folders(), of_data_room()].into_iter().flatten().collect()
}

fn of_files() -> Vec<Route> {
    vec![
        api::get(ALL, READ, "List files")
            .about("In the order in which they came. `q` searches names.")
            .params(&files::PARAMS)
            .answers::<Listed<FileView>>(StatusCode::OK)
            .to(files::list),
        post(ALL, CREATE, "Upload a file")
            .about(
                "The part `properties` stands in front of `file`. The media type is told by the bytes, whatever the client \
                 calls it. The file is kept for as long as the law wants what it is linked with: `retainUntil` is set by that.",
            )
            .creates::<FileView>()
            .refuses(&[StatusCode::NOT_FOUND])
            .stores::<UploadForm, _, _>(files::home::<FileInput>, files::create),
        api::get(ONE, READ, "Get what is said of a file")
            .about("A deleted file stays, with `status` `deleted`.")
            .answers::<FileView>(StatusCode::OK)
            .versioned()
            .to(files::get),
        api::get("/files/{id}/content", READ, "Download a file")
            .about(
                "The latest version, unless `version` names another one. One range of bytes is given as 206 (RFC 9110, section \
                 14). What contains personal data goes to tokens that see it: 403 `personal_data_withheld` otherwise; that of a \
                 deleted file is 409 `file_deleted`.",
            )
            .params(&content::PARAMS)
            .answers_as::<FileContent>(StatusCode::OK, accept::ANY)
            .or_answers::<FileContent>(StatusCode::PARTIAL_CONTENT)
            .personal()
            .versioned()
            .refuses(&[StatusCode::CONFLICT, StatusCode::RANGE_NOT_SATISFIABLE])
            .to(content::get),
        post("/files/{id}/versions", UPDATE, "Upload a version of a file")
            .about("It is the latest one then, of 100 at most; earlier ones stay.")
            .creates::<FileView>()
            .versioned()
            .stores::<VersionForm, _, _>(files::home_of, files::add_version),
        patch(ONE, UPDATE, "Rename, move or link a file")
            .about(
                "A record that is newly linked makes `retainUntil` later by itself, where the law wants that. A deleted file is \
                 409 `file_deleted`.",
            )
            .body::<Update<FileInput>>()
            .answers::<FileView>(StatusCode::OK)
            .versioned()
            .to(files::update),
        delete(ONE, DELETE, "Delete a file")
            .about(
                "It leaves its folder, and its contents are deleted 30 days later. One that belongs to something that was issued, \
                 approved or posted, that is to be kept until a later day, or that another record shows is 409 `file_in_use`.",
            )
            .answers::<FileView>(StatusCode::OK)
            .versioned()
            .to(files::delete),
    ]
}

fn of_folders() -> Vec<Route> {
    vec![
        api::get(FOLDERS, READ_FOLDERS, "List folders")
            .params(&folders::PARAMS)
            .answers::<Listed<FolderView>>(StatusCode::OK)
            .to(folders::list),
        post(FOLDERS, CREATE_FOLDERS, "Create a folder")
            .about("A name that its parent has already is 409 `already_exists`. This emits no event.")
            .body::<Create<FolderInput>>()
            .creates::<FolderView>()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(folders::create),
        api::get(FOLDER, READ_FOLDERS, "Get a folder")
            .answers::<FolderView>(StatusCode::OK)
            .versioned()
            .to(folders::get),
        patch(FOLDER, UPDATE_FOLDERS, "Rename or move a folder")
            .about("What is in it goes along. This emits no event.")
            .body::<Update<FolderInput>>()
            .answers::<FolderView>(StatusCode::OK)
            .versioned()
            .to(folders::update),
        delete(FOLDER, DELETE_FOLDERS, "Delete an empty folder")
            .about("One with folders or files in it is 409 `folder_not_empty`. This emits no event.")
            .answers_nothing()
            .versioned()
            .to(folders::delete),
    ]
}

fn of_data_room() -> Vec<Route> {
    vec![
        api::get(ROOM, READ_ROOM, "List the files of a data room")
            .about("In the order in which they were added; `sort=index` is that of sections and places.")
            .params(&room::PARAMS)
            .answers::<Listed<DataRoomFileView>>(StatusCode::OK)
            .to(room::list),
        post(ROOM, CREATE_ROOM, "Add a file to a data room")
            .about(
                "It shows one version of the file, whatever is uploaded later, and the file is in use until it is removed. \
                 With `watermark` each page is stamped with who reads it and when, in what the data room gives; the file stays as \
                 it is. That takes a PDF file of 25 MiB and 2,000 pages at most, which can be read. A body of several parts uploads the file along, which is a \
                 file of the company then: the part `properties` stands in front of `file`, and has `file` in the place of \
                 `fileId`.",
            )
            .body::<Create<DataRoomFileInput>>()
            .creates::<DataRoomFileView>()
            .refuses(&[StatusCode::NOT_FOUND])
            .stores::<EntryForm, _, _>(files::home::<DataRoomFileInput>, room::create),
        api::get(ENTRY, READ_ROOM, "Get what is said of a file of a data room")
            .answers::<DataRoomFileView>(StatusCode::OK)
            .versioned()
            .unconditional()
            .to(room::get),
        api::get("/data-room/files/{id}/content", READ_ROOM, "Download a file of a data room")
            .about(
                "The version that was added; `documents:data_room.read` is enough. One range of bytes is given as 206 (RFC \
                 9110, section 14). What contains personal data goes to tokens that see it: 403 `personal_data_withheld` \
                 otherwise; what is not `downloadable` to none: 403 `file_not_downloadable`; and from `expiresAt` on it is 410 \
                 `data_room_file_expired`. Each answer that gives bytes, or says that the client has them already, is a view. What \
                 has `watermark` is stamped with the name of the token and the instant: it is made for this reading, so `Range` is \
                 ignored, and HEAD tells no length.",
            )
            .answers_as::<FileContent>(StatusCode::OK, accept::ANY)
            .or_answers::<FileContent>(StatusCode::PARTIAL_CONTENT)
            .personal()
            .versioned()
            .refuses(&[StatusCode::CONFLICT, StatusCode::GONE, StatusCode::RANGE_NOT_SATISFIABLE])
            .holding(room::STAMPED)
            .to(room::content),
        api::get("/data-room/files/{id}/views", READ_ROOM, "Who was given a file of a data room")
            .about("The latest one first. Of each file the latest 10,000 are kept.")
            .params(&room::VIEW_PARAMS)
            .answers::<Listed<DataRoomViewView>>(StatusCode::OK)
            .to(room::views),
        delete(ENTRY, DELETE_ROOM, "Remove a file from a data room")
            .about("Its views are erased, its place is not given again, and the file itself stays. This emits no event.")
            .answers_nothing()
            .versioned()
            .to(room::delete),
    ]
}
