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
use svc_core::error::{ValidationErrors, Validator};
use svc_core::patch::Patch;

use crate::problem::{Code, Problem};

/// The type of a request body: its members, unknown ones refused.
pub(crate) trait Input: DeserializeOwned {
    /// Members of the resource that the server computes: naming one is refused as such.
    const READ_ONLY: &'static [&'static str] = &[];
    /// Members that only the request which creates the resource may have.
    const FIXED: &'static [&'static str] = &[];
    /// Whether the body is an array, in the place of an object.
    const LIST: bool = false;
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
    check_shape::<T>(&tree)?;
    check_members::<T>(&tree)?;
    member(tree, "").map_err(Problem::from)
}

/// Reads a part of a body that stands at `prefix`.
pub(crate) fn member<T: DeserializeOwned>(tree: Value, prefix: &str) -> Result<T, ValidationErrors> {
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

fn check_shape<T: Input>(tree: &Value) -> Result<(), ValidationErrors> {
    match T::LIST {
        true if !tree.is_array() => {
            Err(ValidationErrors::one("body", "invalid_type", "expected a JSON array"))
        }
        false if !tree.is_object() => {
            Err(ValidationErrors::one("body", "invalid_type", "expected a JSON object"))
        }
        true | false => Ok(()),
    }
}

/// Refuses members that this request may not have, all of them at once.
pub(crate) fn check_members<T: Input>(tree: &Value) -> Result<(), ValidationErrors> {
    let mut validator = Validator::new();
    for name in T::READ_ONLY {
        validator.require(tree.get(name).is_none(), name, "read_only_field", "is set by the service");
    }
    for name in T::FIXED {
        validator.require(
            tree.get(name).is_none(),
            name,
            "fixed_at_creation",
            "was chosen at creation and stays",
        );
    }
    validator.finish()
}

/// The value of a member that cannot be cleared; `None` when the patch leaves it out.
pub(crate) fn kept<T>(validator: &mut Validator, field: &str, patch: Patch<T>) -> Option<T> {
    match patch {
        Patch::Absent => None,
        Patch::Null => {
            validator.fail(field, "required", "cannot be null");
            None
        }
        Patch::Value(value) => Some(value),
    }
}

/// Turns serde's words into a code and the path of the member they are about.
fn misfit(path: &str, message: &str) -> ValidationErrors {
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
    ValidationErrors::one(field, code, expectation(message))
}

/// What would be right, in serde's words without the value that was sent: it may be personal data
/// or a secret in the wrong place, and problems end up in logs.
fn expectation(message: &str) -> String {
    let quotes_the_value = ["invalid type", "invalid value", "invalid length", "unknown variant"]
        .iter()
        .any(|start| message.starts_with(start));
    if !quotes_the_value {
        // The name of a member may be of any length.
        return message.chars().take(300).collect();
    }
    // The value may hold these words too, but stands before them.
    match message.rsplit_once(", expected ").map(|(_, expected)| expected) {
        Some(object) if object.starts_with("struct ") || object == "a map" => "expected an object".to_owned(),
        Some("a sequence") => "expected an array".to_owned(),
        Some("i64" | "u64" | "i32" | "u32") => "expected a whole number".to_owned(),
        Some(expected) => format!("expected {expected}"),
        None => "expected another value".to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Sample {
        flag: bool,
        number: i64,
        text: String,
        list: Vec<String>,
        pairs: std::collections::BTreeMap<String, String>,
        inner: Option<Box<Sample>>,
        small: u8,
    }

    #[test]
    fn what_was_sent_is_not_said_back() {
        let sent = "Ana Ruiz, expected a secret";
        for (body, message) in [
            (json!({"flag": sent}), "expected a boolean"),
            (json!({"number": sent}), "expected a whole number"),
            (json!({"list": sent}), "expected an array"),
            (json!({"list": [[sent]]}), "expected a string"),
            (json!({"pairs": sent}), "expected an object"),
            (json!({"inner": sent}), "expected an object"),
            (json!({"inner": {"flag": {(sent): 1}}}), "expected a boolean"),
            (json!({"small": 7_654_321}), "expected u8"),
        ] {
            let refused = member::<Sample>(body, "").expect_err("refused");
            assert_eq!(refused.0[0].message, message);
        }
    }
}
