//! Language and appearance, as a person chose them in this browser.

use axum::response::Response;
use http::HeaderMap;
use http::header::COOKIE;
use svc_http::Problem;

use crate::gate::{Anyone, Seen};
use crate::language::Language;
use crate::page;

/// How the pages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system of the person is set.
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Each, as a person finds it in a list.
    pub(crate) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// What a request asks for.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        chosen(headers, "theme").and_then(Self::parse).unwrap_or(Self::System)
    }

    /// As cookie and attribute have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// A choice that the browser keeps in a cookie; nothing of it is personal.
pub(crate) fn chosen<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
    pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// POST /preferences
pub(crate) async fn choose(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let form = seen.visit.form();
    let root = seen.root();
    let path = if root.is_empty() { "/" } else { root };
    let kept = |name: &str, value: &str| {
        format!("{name}={value}; Path={path}; Max-Age=31536000; HttpOnly; SameSite=Lax")
    };
    let mut response = page::see_other(page::local(form.text("then")).unwrap_or("/"));
    if let Some(language) = Language::parse(form.text("lang")) {
        page::set_cookie(&mut response, &kept("lang", language.tag()));
    }
    if let Some(theme) = Theme::parse(form.text("theme")) {
        page::set_cookie(&mut response, &kept("theme", theme.name()));
    }
    Ok(response)
}
