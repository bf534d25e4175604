//! The page behind a link for an upload, for people whom their assistant gave it. Programs send the file without it.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_http::{Code, Problem};

use crate::ceremony::{size_of, tie};
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::instant::Instant;
use crate::page;
use crate::texts::{self, filled};

#[derive(Template)]
#[template(path = "upload.html")]
struct Page {
    f: Frame,
    sender: String,
    asks: String,
    name: Option<String>,
    until: Instant,
    most: String,
    /// Where the form goes, with the root.
    at: String,
    /// Whether the file is there.
    stored: bool,
    /// Why it is not.
    wrong: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "upload_over.html")]
struct Over {
    f: Frame,
    sender: &'static str,
}

/// GET /uploads/{link}
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let (visit, (token, _)) = (&seen.visit, tie(&seen));
    let f = Frame::of_link(&seen, seen.language, &token);
    let link = visit.named("link").unwrap_or_default();
    let file = match visit.awaited(link).await {
        Ok(file) => file,
        Err(problem) if problem.code() == Code::NotFound => {
            return page::with(StatusCode::NOT_FOUND, &Over { f, sender: "" });
        }
        Err(problem) => return Err(problem),
    };
    let (t, outcome) = (&f.t.uploads, visit.query().text("outcome"));
    let page = Page {
        asks: filled(t.asks, &file.assistant),
        sender: file.company,
        name: file.name,
        until: Instant::from(file.until),
        most: filled(t.most, size_of(file.most, f.language)),
        at: format!("{}/uploads/{link}", seen.root()),
        stored: outcome == "stored",
        wrong: wrong(outcome, t),
        f,
    };
    page::ok(&page)
}

/// Why a file was not taken, by the code of the refusal.
fn wrong(outcome: &str, t: &texts::Uploads) -> Option<&'static str> {
    match outcome {
        "" | "stored" => None,
        "payload_too_large" => Some(t.too_large),
        "validation_failed" => Some(t.empty),
        "upload_link_used" => Some(t.used),
        _ => Some(t.not_taken),
    }
}
