//! Success answers.
//!
//! A handler says what to show, not how: personal data is rendered by a
//! function of the [`PiiAccess`], so that one answer can be sent to the caller in
//! the form that the caller may see, and kept in both forms for a replay.

use axum::body::Body as HttpBody;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use svc_core::id::AccountId;
use svc_core::idempotency::Reply;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::resource::Version;

use crate::precondition;

/// Tells on every response about personal data in which form it is.
pub(crate) const PERSONAL_DATA: HeaderName = HeaderName::from_static("x-personal-data");

type Render = Box<dyn Fn(PiiAccess) -> Vec<u8> + Send>;

/// A success answer in the making.
pub(crate) struct Answer {
    status: StatusCode,
    headers: Vec<(HeaderName, String)>,
    body: Body,
    companies: Vec<AccountId>,
}

enum Body {
    None,
    Plain(Vec<u8>),
    Personal(Render),
    /// A file that is read while it is sent.
    Stream(HttpBody),
    /// Something that is shown in this answer and in no replay.
    Once {
        shown: Vec<u8>,
        kept: Vec<u8>,
    },
}

impl Answer {
    /// An answer without personal data.
    pub(crate) fn plain(status: StatusCode, view: &impl Serialize) -> Self {
        Self::new(status, Body::Plain(json(view)))
    }

    /// A table without personal data (RFC 4180).
    pub(crate) fn csv(table: String) -> Self {
        Self::new(StatusCode::OK, Body::Plain(table.into_bytes())).media("text/csv; charset=utf-8")
    }

    /// A file with personal data in full, which goes to who may see that.
    pub(crate) fn file(status: StatusCode, bytes: Vec<u8>, media: &'static str, name: &str) -> Self {
        let disposition = format!("attachment; filename=\"{name}\"");
        let answer = Self::new(status, Body::Plain(bytes)).media(media);
        answer.header(CONTENT_DISPOSITION, disposition).header(PERSONAL_DATA, "full".to_owned())
    }

    /// A part of a file, or all of it, that is read while it is sent: to who may see it.
    pub(crate) fn stream(status: StatusCode, bytes: HttpBody, headers: Vec<(HeaderName, String)>) -> Self {
        Self { headers, ..Self::new(status, Body::Stream(bytes)) }
    }

    /// An answer with personal data: `show` gives the view that a sight may see.
    pub(crate) fn personal<V: Serialize>(
        status: StatusCode,
        show: impl Fn(PiiAccess) -> V + Send + 'static,
    ) -> Self {
        Self::new(status, Body::Personal(Box::new(move |access| json(&show(access)))))
    }

    /// A table with personal data: `show` gives the one that a sight may see (RFC 4180).
    pub(crate) fn personal_csv(show: impl Fn(PiiAccess) -> String + Send + 'static) -> Self {
        let render: Render = Box::new(move |access| show(access).into_bytes());
        Self::new(StatusCode::OK, Body::Personal(render)).media("text/csv; charset=utf-8")
    }

    /// An answer with a secret that is kept nowhere: a replay shows `kept` in the place of `shown`.
    pub(crate) fn once<V: Serialize>(status: StatusCode, shown: &V, kept: &V) -> Self {
        Self::new(status, Body::Once { shown: json(shown), kept: json(kept) })
    }

    /// 204.
    pub(crate) fn no_content() -> Self {
        Self::new(StatusCode::NO_CONTENT, Body::None)
    }

    fn new(status: StatusCode, body: Body) -> Self {
        Self { status, headers: Vec::new(), body, companies: Vec::new() }
    }

    /// Sets the `ETag`.
    pub(crate) fn version(self, version: Version) -> Self {
        self.header(ETAG, precondition::tag(version))
    }

    /// Sets the `Location`, from the API's root.
    pub(crate) fn location(self, path: &str) -> Self {
        self.header(LOCATION, format!("/api/v1{path}"))
    }

    /// Names another media type than `application/json`.
    pub(crate) fn media(self, media: &'static str) -> Self {
        self.header(CONTENT_TYPE, media.to_owned())
    }

    /// Sets or clears the session cookie.
    pub(crate) fn cookie(self, cookie: String) -> Self {
        self.header(SET_COOKIE, cookie)
    }

    /// Names a company whose data is in the body: who lost it gets no replay.
    pub(crate) fn of(mut self, company: AccountId) -> Self {
        self.companies.push(company);
        self
    }

    /// Names the one company whose loss withholds a replay, in place of the ones named before.
    pub(crate) fn only_of(self, company: AccountId) -> Self {
        Self { companies: vec![company], ..self }
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: HeaderName, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The answer as this sight may see it.
    pub(crate) fn into_response(self, access: PiiAccess) -> Response {
        let mut stream = None;
        let (personal, bytes) = match self.body {
            Body::None => (false, None),
            Body::Plain(bytes) | Body::Once { shown: bytes, .. } => (false, Some(bytes)),
            Body::Personal(render) => (true, Some(render(access))),
            Body::Stream(body) => {
                stream = Some(body);
                (false, None)
            }
        };
        let headers = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut response = assemble(self.status, headers, bytes);
        if personal {
            response.headers_mut().insert(PERSONAL_DATA, form(access));
        }
        match stream {
            Some(stream) => response.map(|_| stream),
            None => response,
        }
    }

    /// The answer in both forms, to be kept with the commit.
    pub(crate) fn keepable(&self) -> Reply {
        let (masked, full) = match &self.body {
            // Only a GET streams, and no reply to one is kept.
            Body::None | Body::Stream(_) => (Vec::new(), None),
            Body::Plain(bytes) | Body::Once { kept: bytes, .. } => (bytes.clone(), None),
            #[expect(
                clippy::disallowed_methods,
                reason = "kept encrypted; a replay sends this form only to a token that may see it then"
            )]
            Body::Personal(render) => {
                (render(PiiAccess::Masked), Some(render(PiiAccess::Full(Reveal::granted()))))
            }
        };
        let mut headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.clone())).collect();
        if full.is_some() {
            headers.push((PERSONAL_DATA.as_str().to_owned(), String::new()));
        }
        Reply { status: self.status.as_u16(), headers, masked, full, companies: self.companies.clone() }
    }
}

/// A kept reply, as this sight may see it now.
pub(crate) fn replayed(reply: Reply, access: PiiAccess) -> Response {
    let personal = reply.full.is_some();
    let bytes = match reply.full {
        Some(full) if access.is_full() => full,
        _ => reply.masked,
    };
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = reply.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut response = assemble(status, headers, (!bytes.is_empty()).then_some(bytes));
    if personal {
        response.headers_mut().insert(PERSONAL_DATA, form(access));
    }
    response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    response
}

fn form(access: PiiAccess) -> HeaderValue {
    HeaderValue::from_static(if access.is_full() { "full" } else { "masked" })
}

fn json(view: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(view).expect("a view has string keys and writes to memory")
}

fn assemble<'a>(
    status: StatusCode,
    headers: impl Iterator<Item = (&'a str, &'a str)>,
    body: Option<Vec<u8>>,
) -> Response {
    let has_body = body.is_some();
    let mut response = Response::new(body.map_or_else(HttpBody::empty, HttpBody::from));
    *response.status_mut() = status;
    let target: &mut HeaderMap = response.headers_mut();
    target.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if has_body {
        target.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            target.insert(name, value);
        }
    }
    response
}
