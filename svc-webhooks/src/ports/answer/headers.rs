//! The headers of an answer, in one buffer.

use std::borrow::Cow;
use std::fmt;

/// The headers of an answer in the order in which they came, those with one name together.
///
/// Values under names that speak of credentials (`Set-Cookie`, `Authorization`, `X-Api-Key`, …) are
/// replaced as they are added: they never get in. Headers that do not fit are left out.
///
/// One buffer holds them all: for each header the length of its name (one byte), the name, the length of
/// its value (two bytes, big endian) and the value; at the end a zero if headers were left out.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AnswerHeaders {
    bytes: Vec<u8>,
    count: usize,
    incomplete: bool,
}

impl AnswerHeaders {
    /// So many headers are kept.
    pub const MOST: usize = 64;
    /// So many bytes are kept of them all.
    pub const MOST_BYTES: usize = 4 * 1024;
    /// Stands for the value of a header that bears a credential.
    pub const HIDDEN: &[u8] = b"***";

    /// Adds a header if there is room for it.
    pub fn push(&mut self, name: &str, value: &[u8]) {
        let value = if bears_a_credential(name) { Self::HIDDEN } else { value };
        if !self.append(name.as_bytes(), value) {
            self.incomplete = true;
        }
    }

    /// Drops the headers whose name does not pass.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        let mut kept = Self { incomplete: self.incomplete, ..Self::default() };
        for (name, value) in self.iter().filter(|(name, _)| keep(name)) {
            kept.append(name.as_bytes(), value);
        }
        *self = kept;
    }

    /// Puts other values in the places of those for which `other` has one.
    pub fn replace(&mut self, other: impl Fn(&[u8]) -> Option<Vec<u8>>) {
        let mut kept = Self { incomplete: self.incomplete, ..Self::default() };
        for (name, value) in self.iter() {
            let value = other(value).map_or(Cow::Borrowed(value), Cow::Owned);
            if !kept.append(name.as_bytes(), &value) {
                kept.incomplete = true;
            }
        }
        *self = kept;
    }

    /// Whether there were none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0 && !self.incomplete
    }

    /// Whether some were left out.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (name, value, after) = first(rest)?;
            rest = after;
            Some((name, value))
        })
    }

    /// The buffer, to be kept; [`AnswerHeaders::from_bytes`] reads it.
    #[must_use]
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.incomplete {
            self.bytes.push(0);
        }
        self.bytes
    }

    /// The headers in a buffer that [`AnswerHeaders::into_bytes`] made; `None` for any other.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut headers = Self::default();
        let mut rest = bytes;
        while !rest.is_empty() {
            if rest == [0] {
                headers.incomplete = true;
                break;
            }
            let (name, value, after) = first(rest)?;
            if !headers.append(name.as_bytes(), value) {
                return None;
            }
            rest = after;
        }
        Some(headers)
    }

    /// Answers whether there was room.
    fn append(&mut self, name: &[u8], value: &[u8]) -> bool {
        let (Ok(name_length), Ok(value_length)) = (u8::try_from(name.len()), u16::try_from(value.len()))
        else {
            return false;
        };
        let length = 3 + name.len() + value.len();
        if name_length == 0 || self.count == Self::MOST || self.bytes.len() + length > Self::MOST_BYTES {
            return false;
        }
        self.bytes.reserve(length);
        self.bytes.push(name_length);
        self.bytes.extend_from_slice(name);
        self.bytes.extend_from_slice(&value_length.to_be_bytes());
        self.bytes.extend_from_slice(value);
        self.count += 1;
        true
    }
}

/// Shows how many there are, and none of them.
impl fmt::Debug for AnswerHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} headers{}", self.count, if self.incomplete { " and more" } else { "" })
    }
}

/// The first header of a buffer, and what follows it.
fn first(bytes: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let (length, rest) = bytes.split_first()?;
    let (name, rest) = rest.split_at_checked(usize::from(*length))?;
    let (length, rest) = rest.split_first_chunk()?;
    let (value, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    Some((std::str::from_utf8(name).ok()?, value, rest))
}

/// Parts of names of headers whose values are credentials.
const TELLING: [&str; 9] =
    ["cookie", "token", "secret", "password", "credential", "session", "api-key", "apikey", "signature"];

/// Names that are told by no part of theirs: `WWW-Authenticate` is a question, not an answer.
const TELLING_NAMES: [&str; 3] = ["authorization", "proxy-authorization", "authentication-info"];

/// Words of names, between hyphens and underscores: `X-Auth`, `X-Key`, `X-Access-Key-Id`.
const TELLING_WORDS: [&str; 10] =
    ["auth", "key", "keys", "pass", "passwd", "pwd", "bearer", "jwt", "sid", "otp"];

fn bears_a_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TELLING_NAMES.contains(&name.as_str())
        || TELLING.iter().any(|part| name.contains(part))
        || name.split(['-', '_', '.']).any(|word| TELLING_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(pairs: &[(&str, &[u8])]) -> AnswerHeaders {
        let mut headers = AnswerHeaders::default();
        for (name, value) in pairs {
            headers.push(name, value);
        }
        headers
    }

    #[test]
    fn values_of_headers_that_bear_credentials_never_get_in() {
        for name in [
            "Set-Cookie",
            "set-cookie2",
            "Authorization",
            "proxy-authorization",
            "X-Api-Key",
            "X-Auth-Token",
            "x-amz-security-token",
            "Client-Secret",
            "X-Session-Id",
            "X-Auth",
            "X-Key",
            "x_key_id",
            "X-Upstream-JWT",
        ] {
            let headers = of(&[(name, b"let me in")]);
            assert_eq!(headers.iter().collect::<Vec<_>>(), [(name, AnswerHeaders::HIDDEN)]);
            assert!(!headers.into_bytes().windows(9).any(|window| window == b"let me in"), "{name}");
        }
    }

    #[test]
    fn other_values_stay_as_they_came() {
        let pairs: [(&str, &[u8]); 5] = [
            ("server", b"nginx"),
            ("x-keyboard", b"qwerty"),
            ("www-authenticate", b"Basic realm=\"x\""),
            ("x-odd", b"\xff\x00<script>"),
            ("x-empty", b""),
        ];
        assert_eq!(of(&pairs).iter().collect::<Vec<_>>(), pairs);
    }

    #[test]
    fn a_header_that_does_not_fit_is_left_out_and_the_others_stay() {
        let long = vec![b'x'; AnswerHeaders::MOST_BYTES];
        let headers = of(&[("first", b"1"), ("long", &long), ("last", b"2")]);
        assert!(headers.is_incomplete());
        let kept: [(&str, &[u8]); 2] = [("first", b"1"), ("last", b"2")];
        assert_eq!(headers.iter().collect::<Vec<_>>(), kept);
    }

    #[test]
    fn no_more_headers_are_kept_than_allowed() {
        let headers = of(&vec![("x", &b"1"[..]); AnswerHeaders::MOST + 1]);
        assert!(headers.is_incomplete());
        assert_eq!(headers.iter().count(), AnswerHeaders::MOST);
    }

    proptest! {
        #[test]
        fn kept_headers_are_read_as_they_were(
            pairs in prop::collection::vec(("[a-z-]{0,20}", prop::collection::vec(any::<u8>(), 0..300)), 0..80),
        ) {
            let mut headers = AnswerHeaders::default();
            for (name, value) in &pairs {
                headers.push(name, value);
            }
            prop_assert_eq!(AnswerHeaders::from_bytes(&headers.clone().into_bytes()), Some(headers));
        }

        #[test]
        fn no_bytes_at_all_are_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(headers) = AnswerHeaders::from_bytes(&bytes) {
                prop_assert_eq!(headers.into_bytes(), bytes);
            }
        }
    }
}
