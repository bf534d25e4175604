//! `/files` and `/folders` (specification, domain part 10.1).

mod content;
mod file_view;
mod files;
mod folders;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::document::file::FileInput;
use svc_business::document::folder::FolderInput;

use self::content::FileContent;
use self::file_view::FileView;
use self::files::{UploadForm, VersionForm};
use self::folders::FolderView;
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

const ALL: &str = "/files";
const ONE: &str = "/files/{id}";
const FOLDERS: &str = "/folders";
const FOLDER: &str = "/folders/{id}";

pub(crate) fn routes() -> Vec<Route> {
    [of_files(), of_folders()].into_iter().flatten().collect()
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
