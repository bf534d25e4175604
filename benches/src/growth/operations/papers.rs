//! Operations of files, notices, envelopes and fixed assets.

use svc_core::id::{EnvelopeId, FileId, NoticeId};
use svc_testkit::business::sample::{contact_id, id};

use super::trade::books;
use super::{Ask, FREQUENT, Operation, RARE, get, on, search_in, some};
use crate::growth::fill::{Filled, folder_of};

fn files(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/files?{query}"))
}

fn notices(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/tax/notices?{query}"))
}

fn envelopes(query: &str) -> Vec<Ask> {
    get(format!("/api/v1/envelopes?{query}"))
}

fn assets(filled: &Filled, query: &str) -> Vec<Ask> {
    books(filled, &format!("/fixed-assets?{query}"))
}

/// All of them.
pub(super) const PAPERS: &[Operation] = &[
    on("read a file", |filled, call| {
        get(format!("/api/v1/files/{}", id::<FileId>(some(filled.papers(), call, 1).into())))
    }),
    on("list files, page 1", |_, _| files("limit=50")),
    on("list files by name", |_, _| files("sort=name")),
    on("list files of a folder", |filled, call| {
        files(&format!("folderId={}", folder_of(some(filled.papers(), call, 2))))
    }),
    on("list files of a contact", |filled, call| {
        let contact = contact_id(some(filled.papers(), call, 3).into());
        files(&format!("linkType=contact&linkId={contact}"))
    }),
    on("list files, mimeType", |_, _| files("mimeType=text/csv")),
    on("list files, a tag that one in forty has", |_, _| files("tag=route%207")),
    search_in("search files, a rare word", RARE, |filled, call| {
        files(&format!("q=luna{}x", some(filled.papers(), call, 4)))
    }),
    search_in("search files, a word that all have", FREQUENT, |_, _| files("q=contrato")),
    on("list folders, page 1", |_, _| get("/api/v1/folders?limit=50")),
    on("read a notice", |filled, call| {
        get(format!("/api/v1/tax/notices/{}", id::<NoticeId>(some(filled.papers(), call, 5).into())))
    }),
    on("list notices, page 1", |_, _| notices("limit=50")),
    on("list notices, source=aeat", |_, _| notices("source=aeat")),
    on("list notices, kind=notification", |_, _| notices("kind=notification")),
    on("list notices that wait", |_, _| notices("handled=false")),
    search_in("search notices, a rare word", RARE, |filled, call| {
        notices(&format!("q=luna{}x", some(filled.papers(), call, 6)))
    }),
    on("read an envelope", |filled, call| {
        get(format!("/api/v1/envelopes/{}", id::<EnvelopeId>(some(filled.papers(), call, 7).into())))
    }),
    on("list envelopes, page 1", |_, _| envelopes("limit=50")),
    on("list envelopes, status=sent", |_, _| envelopes("status=sent")),
    on("list envelopes, signerEmail", |filled, call| {
        envelopes(&format!("signerEmail=s{}@example.com", some(filled.papers(), call, 8)))
    }),
    on("list envelopes, linkId", |filled, call| {
        envelopes(&format!("linkId={}", contact_id(some(filled.papers(), call, 9).into())))
    }),
    search_in("search envelopes, a rare word", RARE, |filled, call| {
        envelopes(&format!("q=luna{}x", some(filled.papers(), call, 10)))
    }),
    on("list fixed assets, page 1", |filled, _| assets(filled, "limit=50")),
    on("list fixed assets, status=draft", |filled, _| assets(filled, "status=draft")),
    search_in("search fixed assets, a rare word", RARE, |filled, call| {
        assets(filled, &format!("q=luna{}x", some(filled.papers() / 10, call, 11)))
    }),
];
