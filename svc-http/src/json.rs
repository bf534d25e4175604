//! JSON bodies, read strictly, with the name of each member that is wrong.
//!
//! A body is read in two steps. [`tree`] finds what is wrong with the text
//! itself: syntax, members that come twice, characters that cannot be stored.
//! Then the request's own type reads the tree, and the first member that does
//! not fit is named by its path.

mod tree;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;
use svc_core::error::{Checks, Invalid};

use crate::problem::{Code, Problem};

/// The type of a request body: its members, unknown ones refused.
pub(crate) trait Input: DeserializeOwned {
    /// Members of the resource that the server computes: naming one is refused as such.
    const READ_ONLY: &'static [&'static str] = &[];
}

/// Members that no client writes, whatever the resource.
pub(crate) const COMPUTED: [&str; 6] = ["id", "object", "version", "createdAt", "updatedAt", "mergedIntoId"];

/// The body of an action that takes no input: nothing, or `{}`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

impl Input for Nothing {}

/// Reads a body of the type `T`.
pub(crate) fn read<T: Input>(headers: &HeaderMap, body: &[u8], patch: bool) -> Result<T, Problem> {
    check_content_type(headers, patch)?;
    let tree = tree::read(body)?;
    check_read_only(&tree, T::READ_ONLY)?;
    member(tree, "").map_err(Problem::from)
}

/// Reads a part of a body that stands at `prefix`.
pub(crate) fn member<T: DeserializeOwned>(tree: Value, prefix: &str) -> Result<T, Invalid> {
    serde_path_to_error::deserialize(tree).map_err(|error| {
        let path = match error.path().to_string() {
            root if root == "." => prefix.to_owned(),
            path => join(prefix, &path),
        };
        misfit(&path, &error.into_inner().to_string())
    })
}

fn check_content_type(headers: &HeaderMap, patch: bool) -> Result<(), Problem> {
    let mut lines = headers.get_all(CONTENT_TYPE).iter();
    let media = lines.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    let merge = patch && media.eq_ignore_ascii_case("application/merge-patch+json");
    if lines.next().is_none() && (merge || media.eq_ignore_ascii_case("application/json")) {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType, "send the body with `Content-Type: application/json`"))
}

/// Refuses members that the server computes, all of them at once.
pub(crate) fn check_read_only(tree: &Value, read_only: &[&str]) -> Result<(), Invalid> {
    let mut checks = Checks::new();
    for name in read_only {
        checks.require(tree.get(name).is_none(), name, "read_only_field", "is set by the service");
    }
    checks.finish()
}

/// Turns serde's words into a code and the path of the member they are about.
fn misfit(path: &str, message: &str) -> Invalid {
    let quoted = message.split('`').nth(1).unwrap_or_default();
    let field = |name: &str| {
        let at_member = path == name || path.ends_with(&format!(".{name}"));
        if at_member { path.to_owned() } else { join(path, name) }
    };
    let whole = if path.is_empty() { "body".to_owned() } else { path.to_owned() };
    let (field, code) = if message.starts_with("unknown field") {
        (field(quoted), "unknown_field")
    } else if message.starts_with("missing field") {
        (join(path, quoted), "required")
    } else if message.starts_with("invalid type") {
        (whole, "invalid_type")
    } else {
        (whole, "invalid_value")
    };
    // A message may quote the value that was sent, however long that is.
    Invalid::one(field, code, message.chars().take(300).collect::<String>())
}

fn join(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.starts_with('[')) {
        (true, _) => path.to_owned(),
        (false, true) => format!("{prefix}{path}"),
        (false, false) => format!("{prefix}.{path}"),
    }
}

/// A value that is written by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<T>(pub(crate) T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}
