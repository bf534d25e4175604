//! What the pages of guests show.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::document::file::File;
use svc_business::document::room::{DataRoomFile, DataRoomFilter, DataRoomSort, NotShown};
use svc_core::id::{DataRoomFileId, FileId};
use svc_core::page::{Direction, Sort};
use svc_http::Problem;

use super::met::{Met, Stands};
use crate::ceremony::{size_of, tie};
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::instant::Instant;
use crate::page;
use crate::pager::{self, Pager};
use crate::texts::filled;

/// What a page tells of what was asked last.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Of a code that was sent.
    pub(super) sent: Option<String>,
    /// Of what was not done.
    pub(super) wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "room/code.html")]
struct CodePage<'m> {
    f: Frame,
    sender: &'m str,
    lead: String,
    hint: String,
    /// Whether a code was sent at some time.
    sent: bool,
    at: String,
    told: Told,
}

#[derive(Template)]
#[template(path = "room/list.html")]
struct ListPage<'m> {
    f: Frame,
    sender: &'m str,
    lead: String,
    until: Instant,
    sections: Vec<Tab>,
    groups: Vec<Group>,
    pager: Pager,
    at: String,
    told: Told,
}

#[derive(Template)]
#[template(path = "room/ended.html")]
struct Ended<'m> {
    f: Frame,
    sender: &'m str,
    title: &'static str,
    text: String,
}

#[derive(Template)]
#[template(path = "room/unknown.html")]
struct Unknown {
    f: Frame,
    sender: &'static str,
}

/// A section that the guest is let into, counted from 1.
struct Tab {
    number: usize,
    name: String,
    shown: bool,
}

/// Files that follow each other in one section.
struct Group {
    section: String,
    files: Vec<Row>,
}

struct Row {
    id: DataRoomFileId,
    index: String,
    title: String,
    size: String,
    until: Option<Instant>,
    /// Why it is not given; nothing where it is.
    held: Option<&'static str>,
}

/// The page of a link, as it stands with its guest.
pub(super) async fn page(
    seen: &Seen<Anyone>,
    met: &Met,
    status: StatusCode,
    told: Told,
) -> Result<Response, Problem> {
    match met.stands {
        Stands::In => list(seen, met, status, told).await,
        Stands::Asked => code(seen, met, status, told),
        Stands::Expired | Stands::Revoked | Stands::Closed => ended(seen, met, status),
    }
}

/// A link that leads nowhere.
pub(super) fn unknown(seen: &Seen<Anyone>) -> Result<Response, Problem> {
    let (token, _) = tie(seen);
    let view = Unknown { f: Frame::of_link(seen, seen.language, &token), sender: "" };
    page::with(StatusCode::NOT_FOUND, &view)
}

fn code(seen: &Seen<Anyone>, met: &Met, status: StatusCode, told: Told) -> Result<Response, Problem> {
    let (token, fresh) = tie(seen);
    let t = met.texts();
    let view = CodePage {
        f: Frame::of_link(seen, met.language, &token),
        sender: &met.host,
        lead: filled(t.code_lead, &met.host),
        hint: filled(t.code_hint, masked(met.grant.email.as_str())),
        sent: met.grant.codes.last.is_some(),
        at: format!("{}{}", seen.root(), met.path()),
        told,
    };
    page::tied(&seen.visit, status, &view, fresh.as_ref())
}

fn ended(seen: &Seen<Anyone>, met: &Met, status: StatusCode) -> Result<Response, Problem> {
    let (token, fresh) = tie(seen);
    let t = met.texts();
    let (title, text) = match met.stands {
        Stands::Revoked => (t.revoked_title, t.revoked_text),
        Stands::Closed => (t.closed_title, t.closed_text),
        Stands::Expired | Stands::In | Stands::Asked => (t.expired_title, t.expired_text),
    };
    let f = Frame::of_link(seen, met.language, &token);
    let view = Ended { f, sender: &met.host, title, text: filled(text, &met.host) };
    page::tied(&seen.visit, status, &view, fresh.as_ref())
}

/// The files of one of the sections, in the order of their index.
async fn list(seen: &Seen<Anyone>, met: &Met, status: StatusCode, told: Told) -> Result<Response, Problem> {
    let (token, fresh) = tie(seen);
    let query = seen.visit.query();
    let sections = met.grant.sections.as_slice();
    let asked: usize = query.text("section").parse().unwrap_or(1);
    let number = if (1..=sections.len()).contains(&asked) { asked } else { 1 };
    let section = sections.get(number.saturating_sub(1)).cloned();
    let business = &seen.visit.app().business;
    let filter = DataRoomFilter { companies: vec![met.led.company], section, ..DataRoomFilter::default() };
    let by_index = Sort(Some((DataRoomSort::Index, Direction::Ascending)));
    let found = business.data_room().page(met.led.scope(), &filter, &by_index, pager::asked(query)).await?;
    let mut ids: Vec<FileId> = found.items.iter().map(|entry| entry.file).collect();
    ids.sort_unstable();
    ids.dedup();
    let files: Vec<File> = business.files().find_all(met.led.scope(), &ids).await?;
    let mut groups: Vec<Group> = Vec::new();
    for entry in &found.items {
        // One whose file was purged meanwhile shows nothing.
        let Some(file) = files.iter().find(|file| file.id == entry.file) else { continue };
        let (name, row) = (entry.section.as_str(), row(seen, met, entry, file));
        match groups.last_mut().filter(|group| group.section == name) {
            Some(group) => group.files.push(row),
            None => groups.push(Group { section: name.to_owned(), files: vec![row] }),
        }
    }
    let here = format!("{}?section={number}", met.path()).parse().map_err(|_| Problem::internal())?;
    let tabs = (1..).zip(sections);
    let tab = |(one, section): (usize, &svc_business::document::room::Section)| Tab {
        number: one,
        name: section.as_str().to_owned(),
        shown: one == number,
    };
    let view = ListPage {
        f: Frame::of_link(seen, met.language, &token),
        sender: &met.host,
        lead: filled(met.texts().list_lead, met.grant.email.as_str()),
        until: met.grant.expires_at.into(),
        sections: tabs.map(tab).collect(),
        groups,
        pager: Pager::of(&found, &here, met.language.texts()),
        at: format!("{}{}", seen.root(), met.path()),
        told,
    };
    page::tied(&seen.visit, status, &view, fresh.as_ref())
}

fn row(seen: &Seen<Anyone>, met: &Met, entry: &DataRoomFile, file: &File) -> Row {
    let size = file.version_of(Some(entry.file_version)).map_or(0, |version| version.content.size);
    let reason = if file.contains_personal_data && !met.grant.personal_data {
        Some(NotShown::Withheld)
    } else if !entry.downloadable {
        Some(NotShown::NotDownloadable)
    } else if entry.has_expired(seen.visit.now()) {
        Some(NotShown::Expired)
    } else {
        None
    };
    Row {
        id: entry.id,
        index: entry.index(),
        title: entry.title.clone(),
        size: size_of(size, met.language),
        until: entry.expires_at.map(Instant::from),
        held: reason.map(|reason| met.texts().held(reason)),
    }
}

/// An address as it is told to who may be another person: `m***@example.com`.
fn masked(email: &str) -> String {
    let (local, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_as_far_as_its_owner_knows_it_again() {
        assert_eq!(masked("maria.lopez@buyer.example"), "m***@buyer.example");
        assert_eq!(masked("ñ@example.com"), "ñ***@example.com");
    }
}
