//! Names of headers, and what those of one service begin with.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use svc_core::short_text::ShortText;
use thiserror::Error;

/// The name of a header: letters, digits and hyphens. It holds its text in place, so a request copies it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeaderName(ShortText<{ MOST + LONGEST_REST.len() }>);

/// What a name has behind its prefix, at most.
const LONGEST_REST: &str = "-Webhook-Account-Id";
/// Characters of the longest prefix.
const MOST: usize = 40;

/// What the names of a service's headers begin with: `X-Shop` makes `X-Shop-Webhook-Id`.
///
/// Words of letters and digits with hyphens between them, a letter first, at most [`HeaderPrefix::MOST`]
/// characters. No header of a subscription's own may begin with it, so it is not a mere `X`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeaderPrefix(ShortText<MOST>);

/// The text cannot be what names of headers begin with.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "not a prefix of header names: expected words of letters and digits with hyphens between them, a letter \
     first, at most {} characters, and more than a mere `X`",
    HeaderPrefix::MOST
)]
pub struct MalformedPrefix;

impl HeaderPrefix {
    /// Characters of the longest prefix.
    pub const MOST: usize = MOST;
    /// `X-SVC`
    pub const STANDARD: Self = Self::of("X-SVC");

    /// This prefix; a constant of it is checked at compile time.
    ///
    /// ```compile_fail,E0080
    /// # use svc_webhooks::names::HeaderPrefix;
    /// const SHOP: HeaderPrefix = HeaderPrefix::of("X-Shop-");
    /// ```
    ///
    /// # Panics
    /// When the text is no prefix.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        match Self::parse(text) {
            Some(prefix) => prefix,
            None => panic!("a prefix is words of letters and digits with hyphens between them, and not X"),
        }
    }

    /// The text of the prefix.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether a header with this name, in any case, would pass for one of the service.
    #[must_use]
    pub fn begins(&self, name: &str) -> bool {
        let (prefix, name) = (self.as_str().as_bytes(), name.as_bytes());
        let begins = name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        begins && name.get(prefix.len()) == Some(&b'-')
    }

    /// The name that has `rest` behind the prefix.
    pub(super) const fn name(&self, rest: &str) -> HeaderName {
        match HeaderName::parse(self.as_str()) {
            Some(HeaderName(name)) => match name.and(rest) {
                Some(name) => HeaderName(name),
                None => panic!("there is room for the longest prefix and the longest rest"),
            },
            None => panic!("a prefix is itself the name of a header"),
        }
    }

    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
    const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() < 2 || !bytes[0].is_ascii_alphabetic() {
            return None;
        }
        let (mut last, mut at) = (b'-', 0);
        while at < bytes.len() {
            if !(bytes[at].is_ascii_alphanumeric() || (bytes[at] == b'-' && last != b'-')) {
                return None;
            }
            last = bytes[at];
            at += 1;
        }
        if last == b'-' {
            return None;
        }
        match ShortText::new(text) {
            Some(text) => Some(Self(text)),
            None => None,
        }
    }
}

impl HeaderName {
    /// This name; a constant of it is checked at compile time.
    ///
    /// # Panics
    /// When it is empty, has anything but letters, digits and hyphens, or is longer than the names of a service
    /// can be.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        match Self::parse(text) {
            Some(name) => name,
            None => panic!("the name of a header is letters, digits and hyphens"),
        }
    }

    /// The name as it is written.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }

    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
    const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !bytes[at].is_ascii_alphanumeric() && bytes[at] != b'-' {
                return None;
            }
            at += 1;
        }
        match ShortText::new(text) {
            Some(text) if at > 0 => Some(Self(text)),
            Some(_) | None => None,
        }
    }
}

impl FromStr for HeaderPrefix {
    type Err = MalformedPrefix;

    fn from_str(text: &str) -> Result<Self, MalformedPrefix> {
        Self::parse(text).ok_or(MalformedPrefix)
    }
}

impl fmt::Display for HeaderPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for HeaderPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Deref for HeaderName {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for HeaderName {
    fn as_ref(&self) -> &[u8] {
        self.as_str().as_bytes()
    }
}

impl PartialEq<str> for HeaderName {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for HeaderName {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for HeaderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for HeaderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Mark, Names};

    #[test]
    fn the_standard_names_are_those_of_the_specification() {
        let Names { prefix: _, event, id, delivery, date, account_id, version, signature, secret } =
            Names::STANDARD;
        let names = [event, id, delivery, date, account_id, version, signature];
        let rests = ["Event", "Id", "Delivery", "Date", "Account-Id", "Version", "Signature"];
        assert_eq!(names.map(|name| name.to_string()), rests.map(|rest| format!("X-SVC-Webhook-{rest}")));
        assert_eq!(secret.as_str(), "whsec_");
    }

    #[test]
    fn a_prefix_is_words_with_hyphens_between_them() {
        let longest = "X".repeat(HeaderPrefix::MOST);
        for good in ["X-Shop", "Acme", "x-2-b", "Xa", &longest] {
            let prefix: HeaderPrefix = good.parse().expect(good);
            let names = Names::new(prefix, Mark::of("whsec_"));
            assert_eq!(names.account_id, *format!("{good}-Webhook-Account-Id"));
        }
        for bad in ["", "X", "x", "-X", "X-", "X--A", "2X", "X Shop", "X_Shop", "X-é", &format!("{longest}X")]
        {
            assert_eq!(bad.parse::<HeaderPrefix>(), Err(MalformedPrefix), "{bad}");
        }
    }

    #[test]
    fn a_prefix_begins_its_own_names_in_any_case_and_no_longer_words() {
        let prefix = HeaderPrefix::of("X-Shop");
        for ours in ["X-Shop-Key", "x-shop-webhook-id", "X-SHOP-"] {
            assert!(prefix.begins(ours), "{ours}");
        }
        for other in ["X-Shop", "X-Shopper", "X-Sho", "X-Key", "Authorization", ""] {
            assert!(!prefix.begins(other), "{other}");
        }
    }
}
