//! Contents whose pages are stamped with who reads them: made for each reading, and kept nowhere.
//!
//! What is given differs from reader to reader and from second to second. So no range of it is given (RFC 9110, section
//! 14.2 lets a server ignore `Range`), and its tag is that of this one reading.

use std::convert::Infallible;

use axum::body::Body;
use futures_util::stream;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderName, StatusCode};
use svc_business::document::file::FileVersion;
use svc_business::document::room::{Stamping, Unstampable};
use svc_core::clock::Timestamp;
use svc_core::content::{ContentStore, read_whole};
use svc_core::digest::Digest;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_seal::{Language, PdfRefused, SealError, Watermark};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::answer::Answer;
use crate::problem::{Code, Problem};

/// The media type of files whose pages are stamped.
const PDF: &str = "application/pdf";
/// So many files are stamped at a time, each with some three times its size in memory; the others wait.
static STAMPING: Semaphore = Semaphore::const_new(2);

/// Who reads a file.
pub(crate) struct Reading {
    /// What names the reader.
    pub(crate) reader: String,
    /// When.
    pub(crate) at: Timestamp,
    /// The language of the instant.
    pub(crate) language: Language,
}

/// A content that was stored, and what tells its size and kind.
pub(super) struct Stored<'a> {
    pub(super) digest: Digest,
    pub(super) size: u64,
    pub(super) kept_for: AccountId,
    pub(super) mime_type: &'a str,
}

/// Whether the pages of a content can be stamped; `None` for what is no PDF.
pub(super) async fn judged(contents: &dyn ContentStore, of: Stored<'_>) -> Result<Option<Stamping>, Problem> {
    if of.mime_type != PDF {
        return Ok(None);
    }
    let verdict = if is_too_large(of.size) {
        Err(PdfRefused::TooLarge)
    } else {
        let _turn = turn().await?;
        let bytes = read_whole(contents, of.kept_for, of.digest).await.map_err(StoreError::backend)?;
        let judging = tokio::task::spawn_blocking(move || svc_seal::can_be_watermarked(&bytes)).await;
        judging.map_err(|_| Problem::internal())?.map(drop)
    };
    let verdict = verdict.map_err(|refused| Unstampable { code: refused.code(), why: refused.to_string() });
    Ok(Some(Stamping { content: of.digest, verdict }))
}

/// The content of a version, each of its pages stamped.
pub(crate) async fn stamped(
    contents: &dyn ContentStore,
    version: &FileVersion,
    disposition: String,
    by: Reading,
) -> Result<Answer, Problem> {
    if version.mime_type != PDF || is_too_large(version.content.size) {
        return Err(unstampable("only a PDF file of 25 MiB at most has pages that are stamped"));
    }
    let _turn = turn().await?;
    let bytes = read_whole(contents, version.kept_for, version.content.digest).await;
    let bytes = bytes.map_err(StoreError::backend)?;
    let work = move || {
        let with = Watermark { reader: &by.reader, at: by.at, language: by.language };
        let stamped = svc_seal::watermark(&bytes, &with)?;
        let digest = Digest::of(&stamped);
        Ok::<_, SealError>((stamped, digest))
    };
    let made = tokio::task::spawn_blocking(work).await.map_err(|_| Problem::internal())?;
    let (stamped, digest) = match made {
        Ok(made) => made,
        Err(SealError::Pdf(refused)) => return Err(unstampable(&refused.to_string())),
        Err(other) => return Err(StoreError::backend(other).into()),
    };
    let mut headers = headers(disposition);
    headers.push((CONTENT_LENGTH, stamped.len().to_string()));
    headers.push((ETAG, format!("\"{digest}\"")));
    // As contents are given: it may be longer than a page of records.
    let body = Body::from_stream(stream::iter([Ok::<_, Infallible>(stamped)]));
    Ok(Answer::stream(StatusCode::OK, body, headers))
}

/// What HEAD is told of it: neither how long it will be, nor its tag.
pub(super) fn announced(disposition: String) -> Answer {
    Answer::stream(StatusCode::OK, Body::empty(), headers(disposition))
}

fn headers(disposition: String) -> Vec<(HeaderName, String)> {
    vec![
        (CONTENT_TYPE, PDF.to_owned()),
        (CONTENT_DISPOSITION, disposition),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (ACCEPT_RANGES, "none".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
    ]
}

fn is_too_large(size: u64) -> bool {
    usize::try_from(size).map_or(true, |size| size > svc_seal::MOST_BYTES)
}

async fn turn() -> Result<SemaphorePermit<'static>, Problem> {
    STAMPING.acquire().await.map_err(|_| Problem::internal())
}

fn unstampable(why: &str) -> Problem {
    Problem::new(Code::FileNotStampable, why.to_owned())
}
