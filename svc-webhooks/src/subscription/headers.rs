//! Headers that a subscription adds to its notifications.
//!
//! They come after the nine of the contract (specification, part 6.2) and can
//! replace none of them: a name begins with `X-`, but not with `X-SVC-` or with
//! the prefix of the service's own names, or is `Authorization`. So nothing that frames the message, steers the connection
//! or says who sends can be among them. Their values are secrets of the
//! receiver: kept sealed, sent to the receiver, and never shown again.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::wire::{Described, Parts};
use zeroize::Zeroizing;

use crate::names::HeaderPrefix;

/// How many headers a subscription may add.
pub const MAX_HEADERS: usize = 10;
/// Longest name of one, in characters.
const MAX_NAME: usize = 100;
/// Longest value of one, in characters.
const MAX_VALUE: usize = 1_000;
/// What stands in the place of a value where headers are shown; written back, it keeps the value.
pub const MASK: &str = "***";

/// The value of a header: a secret.
#[derive(Clone, Deserialize, Eq)]
#[serde(from = "String")]
pub struct HeaderSecret(Zeroizing<String>);

impl Described for HeaderSecret {
    fn schema(_: &mut Parts) -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": MAX_VALUE })
    }
}

impl HeaderSecret {
    /// The value, to be sent or sealed.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for HeaderSecret {
    fn from(value: String) -> Self {
        Self(Zeroizing::new(value))
    }
}

impl PartialEq for HeaderSecret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl fmt::Debug for HeaderSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// The headers of a subscription, each name once in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomHeaders(BTreeMap<String, Header>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Header {
    /// As the client wrote it; the key is the same in lower case.
    name: String,
    value: HeaderSecret,
}

/// What a client asks to change of the headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderChanges {
    /// Drop all of them.
    Clear,
    /// Set the ones with a value and drop the ones with none; the others stay (RFC 7396).
    Merge(BTreeMap<String, Option<HeaderSecret>>),
}

impl CustomHeaders {
    /// Wraps stored names and values.
    pub fn from_stored(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut headers = Self::default();
        pairs.into_iter().for_each(|(name, value)| headers.set(name, value.into()));
        headers
    }

    /// Names and values, in the order in which they are sent.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &HeaderSecret)> {
        self.0.values().map(|header| (header.name.as_str(), &header.value))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a header; the case of its name does not count.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&HeaderSecret> {
        self.0.get(&name.to_ascii_lowercase()).map(|header| &header.value)
    }

    /// The headers that a client gives to a new subscription.
    pub(super) fn checked(
        given: BTreeMap<String, HeaderSecret>,
        prefix: HeaderPrefix,
        validator: &mut Validator,
    ) -> Self {
        let changes = given.into_iter().map(|(name, value)| (name, Some(value)));
        let changes = HeaderChanges::Merge(changes.collect());
        check(&changes, prefix, validator);
        match Self::default().merged(changes, false) {
            Ok(headers) => headers,
            Err(invalid) => {
                invalid
                    .0
                    .into_iter()
                    .for_each(|error| validator.fail(error.field, error.code, error.message));
                Self::default()
            }
        }
    }

    /// The headers after these changes, which were checked. `moved` tells that the URL is another one, if
    /// only by its path: a caller that may change a URL must not get to see values in this way, so none is kept.
    pub(super) fn merged(&self, changes: HeaderChanges, moved: bool) -> Result<Self, ValidationErrors> {
        let mut validator = Validator::new();
        let (mut after, mut kept) = (self.clone(), self.clone());
        match changes {
            HeaderChanges::Clear => (after, kept) = (Self::default(), Self::default()),
            HeaderChanges::Merge(changes) => {
                for (name, value) in changes {
                    let key = name.to_ascii_lowercase();
                    match value {
                        Some(value) if value.expose() == MASK => {
                            validator.require(
                                self.0.contains_key(&key),
                                &field(&name),
                                "masked_value",
                                MASKED,
                            );
                            continue;
                        }
                        Some(value) => after.set(name, value),
                        None => {
                            after.0.remove(&key);
                        }
                    }
                    kept.0.remove(&key);
                }
            }
        }
        if moved && !kept.is_empty() {
            validator.fail("headers", "required", MOVED);
        }
        validator.require(
            after.0.len() <= MAX_HEADERS,
            "headers",
            "too_many",
            format!("at most {MAX_HEADERS} headers"),
        );
        validator.finish().map(|()| after)
    }

    fn set(&mut self, name: String, value: HeaderSecret) {
        self.0.insert(name.to_ascii_lowercase(), Header { name, value });
    }
}

const MASKED: &str = "`***` stands for a value that is not shown: send the value itself";
const MOVED: &str = "the URL leads elsewhere: send the values of all headers again, or null to drop them";

/// Which names there may be beside those that begin with this prefix.
fn names(prefix: HeaderPrefix) -> String {
    let standard = HeaderPrefix::STANDARD;
    let ours = if prefix == standard { String::new() } else { format!(" or `{prefix}-`") };
    format!(
        "a name begins with `X-`, but not with `{standard}-`{ours}, or is `Authorization`; \
         it has letters, digits and hyphens, 100 characters at most"
    )
}

/// Reports names and values that no subscription may have of a service whose headers begin with this prefix.
pub(super) fn check(changes: &HeaderChanges, prefix: HeaderPrefix, validator: &mut Validator) {
    let HeaderChanges::Merge(changes) = changes else { return };
    let mut seen = BTreeMap::new();
    for (name, value) in changes {
        // Text of another form is not said back: it may be a value in the wrong place.
        if !is_token(name) {
            validator.fail("headers", "header_not_allowed", names(prefix));
            continue;
        }
        validator.require(is_allowed(name, prefix), &field(name), "header_not_allowed", names(prefix));
        if let Some(other) = seen.insert(name.to_ascii_lowercase(), name) {
            validator.fail(field(name), "repeated", format!("the same header as `{other}`"));
        }
        if let Some(value) = value {
            validator.require(is_value(value.expose()), &field(name), "invalid_value", VALUES);
        }
    }
}

const VALUES: &str = "1 to 1000 visible ASCII characters, with spaces only between them";

fn field(name: &str) -> String {
    format!("headers.{name}")
}

fn is_token(name: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(sign)
}

fn is_allowed(name: &str, prefix: HeaderPrefix) -> bool {
    let ours = HeaderPrefix::STANDARD.begins(name) || prefix.begins(name);
    let lower = name.to_ascii_lowercase();
    !ours && (lower == "authorization" || (lower.len() > 2 && lower.starts_with("x-")))
}

fn is_value(value: &str) -> bool {
    (1..=MAX_VALUE).contains(&value.len())
        && value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && value.trim() == value
}
