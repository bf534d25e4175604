//! Small texts with a syntax of their own.

use std::str::FromStr;

use thiserror::Error;

macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $error:ident, $message:literal, $check:path) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(String);

        /// The text is refused; the message tells what is expected.
        #[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
        #[error($message)]
        pub struct $error;

        impl $name {
            /// Wraps a stored value.
            #[must_use]
            pub fn from_stored(text: String) -> Self {
                Self(text)
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                $check(text.trim()).map(Self).ok_or($error)
            }
        }
    };
}

checked_text!(
    /// An e-mail address.
    Email, InvalidEmail, "expected an e-mail address such as name@example.com", email
);
checked_text!(
    /// A BCP 47 language tag.
    LanguageTag, InvalidLanguage, "expected a BCP 47 language tag such as es, en or ca", language
);
checked_text!(
    /// The address of a web site, http or https.
    Website, InvalidWebsite, "expected a web address such as https://example.com", website
);

/// The addr-spec of RFC 5321 without quoted local parts and address literals;
/// letters beyond ASCII are allowed (RFC 6531).
fn email(text: &str) -> Option<String> {
    let (local, domain) = text.rsplit_once('@')?;
    let atom = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(letter))
    };
    let holds = text.len() <= 254 && local.len() <= 64 && local.split('.').all(atom) && dotted_host(domain);
    holds.then(|| text.to_owned())
}

/// A language of two or three letters, then script, region and variants in
/// their usual case (RFC 5646, the `langtag` form without extensions).
fn language(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let primary = parts.next()?;
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !(2..=3).contains(&primary.len()) || !letters(primary) {
        return None;
    }
    let mut tag = primary.to_ascii_lowercase();
    // 0: nothing follows yet, 1: script, 2: region, 3: variant.
    let mut last = 0;
    for part in parts {
        let alphanumeric = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        let (rank, normal) = match part.len() {
            4 if letters(part) => {
                let (head, tail) = part.split_at(1);
                (1, head.to_ascii_uppercase() + &tail.to_ascii_lowercase())
            }
            2 if letters(part) => (2, part.to_ascii_uppercase()),
            3 if digits => (2, part.to_owned()),
            4 if alphanumeric && part.starts_with(|first: char| first.is_ascii_digit()) => {
                (3, part.to_ascii_lowercase())
            }
            5..=8 if alphanumeric => (3, part.to_ascii_lowercase()),
            _ => return None,
        };
        if rank < last || (rank == last && rank != 3) {
            return None;
        }
        last = rank;
        tag.push('-');
        tag.push_str(&normal);
    }
    (tag.len() <= 35).then_some(tag)
}

/// `http` or `https`, a host with a dot, an optional port, no user information.
fn website(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (host, port) = authority.rsplit_once(':').unwrap_or((authority, "443"));
    let port_holds =
        port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|p| p > 0);
    let path_holds = path.chars().all(|letter| !letter.is_whitespace() && !letter.is_control());
    let holds = web && text.len() <= 2_000 && dotted_host(host) && port_holds && path_holds;
    holds.then(|| text.to_owned())
}

/// Labels of 1 to 63 letters, digits and inner hyphens; at least two, the last not a number.
fn dotted_host(host: &str) -> bool {
    let label = |part: &str| {
        (1..=63).contains(&part.len())
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let top = host.rsplit_once('.').map(|(_, top)| top);
    host.len() <= 253
        && host.split('.').all(label)
        && top.is_some_and(|top| !top.bytes().all(|byte| byte.is_ascii_digit()))
}
