//! The page that asks before a step is taken, with a word of what follows.

use askama::Template;
use axum::response::Response;
use svc_core::version::Version;
use svc_http::Problem;

use crate::frame::{Frame, Place};
use crate::gate::{Known, Seen};
use crate::once;
use crate::page;

/// What is asked about.
pub(crate) struct Question<'a> {
    pub(crate) place: Place,
    /// What is to be done, as the button says it, and what follows.
    pub(crate) told: (&'static str, &'static str),
    /// What it is done to: its name, and a text that tells it from others.
    pub(crate) subject: (&'a str, &'a str),
    pub(crate) version: Version,
    /// Where the subject is shown; the step is taken below.
    pub(crate) path: String,
    pub(crate) step: &'static str,
    /// Whether it cannot be taken back.
    pub(crate) danger: bool,
}

#[derive(Template)]
#[template(path = "ask.html")]
struct View<'a> {
    f: Frame,
    question: Question<'a>,
    once: String,
}

/// Asks it.
pub(crate) fn page<G: Known>(seen: &Seen<G>, question: Question<'_>) -> Result<Response, Problem> {
    let once = once::mark(&*seen.visit.app().random);
    page::ok(&View { f: Frame::of(seen, question.place), question, once })
}
