//! An entry of a data room, and its views, as a response carries them. Nothing in them is masked.

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::document::room::{DataRoomFile, DataRoomView, ViewChannel, Viewer};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, DataRoomFileId, DataRoomGrantId, FileId, TokenId, UserId};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;

wire_view! {
    /// A version of a file that a company shows to others.
    #[derive(Debug)]
    pub(super) struct DataRoomFileView as "DataRoomFile" {
        id: DataRoomFileId,
        object: &'static str => Form::one_of(&["data_room_file"]),
        company_id: AccountId,
        version: i64,
        file_id: FileId,
        /// The number of the version that is shown, whatever the file has had since.
        file_version: u32 => Form::range(1, 100).number(1),
        section: String => Form::ANY.example("1 Corporate/1.2 Statutes"),
        /// The numbers of the section, and the place in it, which is never given again.
        index: String => Form::ANY.example("1.2.3"),
        title: String => Form::ANY.example("Estatutos 2025"),
        /// Whether each page is stamped with who reads it and when, in what the data room gives.
        watermark: bool => Form::ANY.json("false"),
        /// Whether its content is given.
        downloadable: bool,
        /// From when on its content is not given any more.
        expires_at: Option<Timestamp> => Form::ANY.json("null"),
        /// The person who added it; none for a token.
        added_by: Option<UserId> => Form::ANY.json("null"),
        /// How often its content was given. That changes no version.
        views: u32 => Form::ANY.number(0),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// A time that the content was given.
    #[derive(Debug)]
    pub(super) struct DataRoomViewView as "DataRoomView" {
        /// Which one it is, from 1.
        number: u32 => Form::ANY.number(1),
        at: Timestamp,
        channel: ViewChannel,
        /// The token that got it, by the API.
        token_id: Option<TokenId>,
        /// The person who got it, in the client area.
        user_id: Option<UserId> => Form::ANY.json("null"),
        /// The guest who got it, by a link: the grant.
        grant_id: Option<DataRoomGrantId> => Form::ANY.json("null"),
        /// The address of that guest.
        guest_email: Option<String> => Form::ANY.json("null"),
    }
}

/// A single entry as an answer.
pub(super) fn answer(status: StatusCode, entry: &DataRoomFile) -> Answer {
    Answer::plain(status, &DataRoomFileView::of(entry)).of(entry.company).version(entry.version)
}

impl DataRoomFileView {
    pub(super) fn of(entry: &DataRoomFile) -> Self {
        Self {
            id: entry.id,
            object: DataRoomFile::NAME,
            company_id: entry.company,
            version: entry.version.as_i64(),
            file_id: entry.file,
            file_version: entry.file_version,
            section: entry.section.as_str().to_owned(),
            index: entry.index(),
            title: entry.title.clone(),
            watermark: entry.watermark,
            downloadable: entry.downloadable,
            expires_at: entry.expires_at,
            added_by: entry.added_by,
            views: entry.views,
            external_id: entry.extension.external_id.clone(),
            metadata: entry.extension.metadata.clone(),
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}

impl DataRoomViewView {
    pub(super) fn of(view: &DataRoomView) -> Self {
        let (token_id, user_id, grant_id) = match view.viewer {
            Viewer::Token(token) => (Some(token), None, None),
            Viewer::Person(user) => (None, Some(user), None),
            Viewer::Guest(grant) => (None, None, Some(grant)),
            Viewer::Service => (None, None, None),
        };
        let guest_email = view.guest.as_ref().map(|email| email.as_str().to_owned());
        let (number, at, channel) = (view.number, view.at, view.viewer.channel());
        Self { number, at, channel, token_id, user_id, grant_id, guest_email }
    }
}
