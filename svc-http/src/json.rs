//! JSON bodies, read strictly, with the name of each member that is wrong.
//!
//! A body is read in two steps. [`tree`] finds what is wrong with the text
//! itself: syntax, members that come twice, characters that cannot be stored.
//! Then the request's own type reads the tree, and each member that does not
//! fit is named by its path, and each that is missing: see [`whole`].

mod input;
mod tree;
mod whole;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::error::{FieldError, ValidationErrors, Validator};
use svc_core::patch::Patch;

pub(crate) use self::input::{Create, Input, Nothing, Update};
use crate::body;
use crate::problem::{Code, Problem};

/// Reads a body of the type `T`.
pub(crate) fn read<T: Input>(headers: &HeaderMap, body: &[u8], patch: bool) -> Result<T, Problem> {
    check_content_type(headers, patch)?;
    let tree = tree::read(body)?;
    check_shape::<T>(&tree)?;
    Ok(T::take(tree)?)
}

/// Reads a value of the type `T` that is the part `name` of a body of several parts.
pub(crate) fn of_part<T: Input>(name: &str, text: &[u8]) -> Result<T, ValidationErrors> {
    let tree = tree::read(text).map_err(|problem| {
        if problem.code() == Code::MalformedJson {
            ValidationErrors::one(name, "malformed_json", problem.detail().to_owned())
        } else {
            ValidationErrors(problem.errors().to_vec()).within(name)
        }
    })?;
    if tree.is_object() == T::LIST {
        return Err(ValidationErrors::one(name, "invalid_type", "expected a JSON object"));
    }
    T::take(tree).map_err(|invalid| invalid.within(name))
}

/// Reads a tree that is not that of a whole object.
pub(crate) fn member<T: DeserializeOwned>(tree: &Value, prefix: &str) -> Result<T, ValidationErrors> {
    part(tree, prefix).map_err(|error| ValidationErrors(vec![error]))
}

/// Reads the tree of an object, or tells the first thing that is wrong with it.
fn fits<T: DeserializeOwned>(tree: &Value) -> Result<T, FieldError> {
    part(tree, "")
}

/// Reads a part of a body that stands at `prefix`.
fn part<T: DeserializeOwned>(tree: &Value, prefix: &str) -> Result<T, FieldError> {
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
    let line = lines.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = line.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default();
    let merge = patch && media.eq_ignore_ascii_case("application/merge-patch+json");
    let refused = |detail| Err(Problem::new(Code::UnsupportedMediaType, detail));
    if lines.next().is_some() || !(merge || media.eq_ignore_ascii_case("application/json")) {
        return refused("send the body with `Content-Type: application/json`");
    }
    // JSON is UTF-8 (RFC 8259, section 8.1); another encoding that a client names would be read as what it is not.
    if !parts.filter_map(charset).all(|charset| charset.eq_ignore_ascii_case("utf-8")) {
        return refused("send the body in UTF-8: JSON has no other encoding");
    }
    body::refuse_coding(headers)
}

/// The encoding that a parameter of the media type names, if it is the one that does.
fn charset(parameter: &str) -> Option<&str> {
    let (name, value) = parameter.split_once('=')?;
    name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
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
fn misfit(path: &str, message: &str) -> FieldError {
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
    FieldError { field, code, message: expectation(message).into() }
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

/// What serde says of a member that is not among the known ones.
fn unknown(name: &str, known: &[String]) -> String {
    let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    expectation(&format!("unknown field `{name}`, expected one of {}", known.join(", ")))
}

fn join(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.starts_with('[')) {
        (true, _) => path.to_owned(),
        (false, true) => format!("{prefix}{path}"),
        (false, false) => format!("{prefix}.{path}"),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
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
            let refused = member::<Sample>(&body, "").expect_err("refused");
            assert_eq!(refused.0[0].message, message);
        }
    }
}
