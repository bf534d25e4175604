//! Uploads: bodies whose file goes straight into the content store, of any size and never whole in memory.
//!
//! A body has two parts (`multipart/form-data`, RFC 7578): `properties`, what is said of the file in JSON, and behind it
//! `file`. The order matters, for `properties` tell in whose store the bytes go. They are in quarantine until the last one
//! came, and a content after that, before the record is committed: what becomes of neither is the collector's.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::{Stream, stream};
use http::HeaderMap;
use http::header::EXPECT;
use http_body_util::BodyExt as _;
use multer::{Constraints, Field, Multipart, SizeLimit};
use sha2::{Digest as _, Sha256};
use svc_core::content::{Content, ContentError};
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::AccountId;
use thiserror::Error;

use crate::app::App;
use crate::body;
use crate::multipart;
use crate::problem::{Code, Problem};

/// The name of the part that says what the file is.
pub(crate) const PROPERTIES: &str = "properties";
/// The name of the part that is the file.
pub(crate) const FILE: &str = "file";

/// How long the next piece of a body may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a whole body may take: far less than what is in quarantine is left there for.
const LONGEST: Duration = Duration::from_mins(30);
/// What the boundaries and the heads of the parts may have, in bytes.
const AROUND: u64 = 64 * 1024;
/// How much more than allowed is worth reading, so that the client comes to read the answer.
const DISCARDED: u64 = 16 * 1024 * 1024;
/// So many of the first bytes of a file tell what it is.
const HEAD: usize = 8 * 1024;

/// What came of an upload.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    /// What is said of the file; empty where nothing is.
    pub(crate) properties: Bytes,
    /// What the client calls it.
    pub(crate) name: Option<String>,
    /// What the content store has.
    pub(crate) content: Content,
    /// The company for which it has it.
    pub(crate) kept_for: AccountId,
    /// Its media type, as its first bytes tell it.
    pub(crate) mime_type: &'static str,
}

/// What is known of an upload when its file begins.
pub(crate) struct Announced<'a, C> {
    pub(crate) app: &'a App,
    pub(crate) caller: &'a C,
    /// What the path names.
    pub(crate) named: &'a [(String, String)],
    pub(crate) properties: &'a [u8],
}

/// Tells the company for which an upload is kept, or why there is none.
pub(crate) type Owner<C> = for<'a> fn(&'a Announced<'a, C>) -> BoxFuture<'a, Result<AccountId, Problem>>;

impl Upload {
    /// Tells one upload from another: what was said, the name and the bytes.
    pub(crate) fn hash(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        for part in [&self.properties[..], self.name.as_deref().unwrap_or_default().as_bytes()] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.update(self.content.digest.as_bytes());
        hash.finalize().into()
    }
}

/// Stores the file of a body.
pub(crate) async fn receive<C: Sync>(
    headers: &HeaderMap,
    body: Body,
    (app, caller, named): (&App, &C, &[(String, String)]),
    owner: Owner<C>,
) -> Result<Upload, Problem> {
    body::refuse_coding(headers)?;
    let boundary = multipart::boundary(headers).ok_or_else(multipart::no_boundary)?;
    let most = app.settings.max_file_bytes;
    let declared = body::declared(headers).map_or(0, |length| length as u64);
    let excess = declared.saturating_sub(most.saturating_add(AROUND).saturating_add(of_properties(app)));
    if excess > 0 && (headers.contains_key(EXPECT) || excess > DISCARDED) {
        return Err(too_large(FILE, most));
    }
    let sizes = SizeLimit::new().for_field(PROPERTIES, of_properties(app));
    let sizes = sizes.whole_stream(most.saturating_add(AROUND).saturating_add(of_properties(app)));
    let progress = Progress::default();
    let pieces = Paced { pieces: Box::pin(pieces(body)), progress: progress.clone(), waits: false };
    let parts = Multipart::with_constraints(pieces, boundary, Constraints::new().size_limit(sizes));
    let received = take(parts, &progress, (app, caller, named), owner);
    tokio::time::timeout(LONGEST, received).await.unwrap_or_else(|_| Err(late()))
}

fn of_properties(app: &App) -> u64 {
    app.settings.max_json_bytes as u64
}

/// Takes the parts as they come.
async fn take<C: Sync>(
    mut parts: Multipart<'static>,
    progress: &Progress,
    (app, caller, named): (&App, &C, &[(String, String)]),
    owner: Owner<C>,
) -> Result<Upload, Problem> {
    let (mut properties, mut upload) = (None, None::<Upload>);
    while let Some(part) = parts.next_field().await.map_err(|error| broken(&error, app))? {
        progress.made();
        match part.name().unwrap_or_default() {
            PROPERTIES if properties.is_some() || upload.is_some() => {
                let message = "must be there once, in front of the file";
                return Err(ValidationErrors::one(PROPERTIES, "out_of_place", message).into());
            }
            PROPERTIES => properties = Some(whole(app, part, progress).await?),
            FILE if upload.is_some() => {
                return Err(ValidationErrors::one(FILE, "duplicate_field", "is there more than once").into());
            }
            FILE => {
                let said = properties.clone().unwrap_or_default();
                let announced = Announced { app, caller, named, properties: &said };
                let kept_for = owner(&announced).await?;
                upload = Some(store(app, kept_for, (part, progress), said).await?);
            }
            other => {
                let message = format!("is no part of this body, whose parts are {PROPERTIES} and {FILE}");
                return Err(ValidationErrors::one(other.to_owned(), "unknown_field", message).into());
            }
        }
    }
    upload.ok_or_else(|| ValidationErrors::one(FILE, "required", NO_FILE).into())
}

const NO_FILE: &str = "is missing or empty: send the file as this part";

/// A part that is short.
async fn whole(app: &App, mut part: Field<'static>, progress: &Progress) -> Result<Bytes, Problem> {
    let mut whole = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| broken(&error, app))? {
        progress.made();
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

/// Stores one file, piece by piece.
async fn store(
    app: &App,
    kept_for: AccountId,
    (mut part, progress): (Field<'static>, &Progress),
    properties: Bytes,
) -> Result<Upload, Problem> {
    let name = part.file_name().map(str::to_owned);
    let most = app.settings.max_file_bytes;
    let failed = |error| failed(error, most);
    let mut upload = app.contents.begin(kept_for, most).await.map_err(failed)?;
    let mut head = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| broken(&error, app))? {
        progress.made();
        let wanted = HEAD.saturating_sub(head.len());
        head.extend(piece.iter().take(wanted));
        upload.write(&piece).await.map_err(failed)?;
    }
    if head.is_empty() {
        return Err(ValidationErrors::one(FILE, "required", NO_FILE).into());
    }
    let content = upload.finish().await.map_err(failed)?;
    Ok(Upload { properties, name, content, kept_for, mime_type: svc_files::sniff(&head) })
}

/// Why no next piece of a body came.
#[derive(Debug, Error)]
enum Lost {
    /// It took too long.
    #[error("the body did not arrive in time")]
    Late,
    /// The transfer ended before the body did.
    #[error("the body broke off")]
    Off,
    /// What came is neither the head of a part nor the content of one.
    #[error("more than 64 KiB came without a part")]
    Formless,
}

/// The bytes that came since a part, or a piece of one, was found: the reader of parts keeps them all.
#[derive(Clone, Default)]
struct Progress(Arc<AtomicU64>);

impl Progress {
    fn made(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Pieces of a body, one at a time: the reader of parts takes all that there are, and looks at them together.
struct Paced<S> {
    pieces: Pin<Box<S>>,
    progress: Progress,
    waits: bool,
}

impl<S: Stream<Item = Result<Bytes, Lost>>> Stream for Paced<S> {
    type Item = Result<Bytes, Lost>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.waits) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = ready!(self.pieces.as_mut().poll_next(cx));
        if let Some(Ok(piece)) = &next {
            let before = self.progress.0.fetch_add(piece.len() as u64, Ordering::Relaxed);
            if before > AROUND {
                return Poll::Ready(Some(Err(Lost::Formless)));
            }
            self.waits = true;
        }
        Poll::Ready(next)
    }
}

fn pieces(body: Body) -> impl Stream<Item = Result<Bytes, Lost>> + Send + 'static {
    stream::unfold(Some(body), |body| async {
        let mut body = body?;
        loop {
            match tokio::time::timeout(PATIENCE, body.frame()).await {
                Err(_) => return Some((Err(Lost::Late), None)),
                Ok(None) => return None,
                Ok(Some(Err(_))) => return Some((Err(Lost::Off), None)),
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        return Some((Ok(data), Some(body)));
                    }
                }
            }
        }
    })
}

fn broken(error: &multer::Error, app: &App) -> Problem {
    if let multer::Error::StreamReadFailed(source) = error {
        match source.downcast_ref() {
            Some(Lost::Late) => return late(),
            Some(lost @ Lost::Formless) => {
                return ValidationErrors::one("body", "malformed_multipart", lost.to_string()).into();
            }
            Some(Lost::Off) | None => {}
        }
    }
    if let multer::Error::FieldSizeExceeded { .. } = error {
        return too_large(PROPERTIES, of_properties(app));
    }
    if let multer::Error::StreamSizeExceeded { .. } = error {
        return too_large(FILE, app.settings.max_file_bytes);
    }
    multipart::broken(error)
}

fn late() -> Problem {
    Problem::new(Code::RequestTimeout, "the body did not arrive in time")
}

fn too_large(part: &str, most: u64) -> Problem {
    Problem::new(Code::PayloadTooLarge, format!("the part `{part}` may have at most {most} bytes"))
}

fn failed(error: ContentError, most: u64) -> Problem {
    match error {
        ContentError::TooLarge { .. } => too_large(FILE, most),
        // What is in quarantine for too long is swept.
        ContentError::Missing => late(),
        error @ ContentError::Backend(_) => StoreError::backend(error).into(),
    }
}
