//! Passwords: as people type them, and as they are kept.

use std::fmt;

use svc_core::clock::Timestamp;
use svc_core::id::UserId;
use svc_core::resource::Version;
use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

/// A person's password as it is kept.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::session::Password;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<Password>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::Password;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<Password>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::Password;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<Password>();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Password {
    /// Whose it is.
    pub user: UserId,
    /// Its hash.
    pub hash: PasswordHash,
    /// When it was set.
    pub set_at: Timestamp,
    /// Counts its changes.
    pub version: Version,
}

/// An argon2id hash in the PHC string format: parameters, salt and hash.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::session::PasswordHash;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<PasswordHash>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::PasswordHash;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<PasswordHash>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::PasswordHash;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<PasswordHash>();
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Takes a stored hash.
    #[must_use]
    pub fn from_stored(phc: String) -> Self {
        Self(phc)
    }

    /// The PHC string, for storage.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(***)")
    }
}

/// Characters that are put into the form NFKC, which may have eighteen times as many. A password has 128 at most, and the
/// form makes one of four at most.
const TYPED: usize = 1_024;

/// A password as a person typed it, in the form NFKC: what looks the same is
/// the same on every keyboard (NIST SP 800-63B, section 3.1.1.2).
///
/// Wiped from memory when it is dropped.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::session::PasswordText;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<PasswordText>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::PasswordText;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<PasswordText>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::PasswordText;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<PasswordText>();
/// ```
#[derive(Clone)]
pub struct PasswordText(Zeroizing<String>);

impl PasswordText {
    /// Takes what was typed: of a text of more than 1,024 characters no more than these, which no password has.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let typed =
            typed.char_indices().nth(TYPED).map_or(typed, |(end, _)| typed.get(..end).unwrap_or(typed));
        // Room for all of it at once: a string that grows leaves copies behind.
        let length = typed.nfkc().map(char::len_utf8).sum();
        let mut text = Zeroizing::new(String::with_capacity(length));
        text.extend(typed.nfkc());
        Self(text)
    }

    /// The text itself, to be hashed.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordText(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_the_same_password() {
        let text = PasswordText::new("\u{fb01}ne caf\u{65}\u{301} \u{ff11}");
        assert_eq!(text.expose(), "fine caf\u{e9} 1");
        assert_ne!(PasswordText::new("CAFE").expose(), PasswordText::new("cafe").expose());
    }

    #[test]
    fn the_text_is_written_into_room_for_all_of_it() {
        // One character whose form NFKC has 18.
        let text = PasswordText::new("\u{fdfa}");
        assert_eq!(text.expose().chars().count(), 18);
        assert_eq!(text.0.capacity(), text.0.len());
    }

    #[test]
    fn neither_text_nor_hash_prints() {
        let hash = PasswordHash::from_stored("$argon2id$".to_owned());
        let printed = format!("{:?} {hash:?}", PasswordText::new("secret"));
        assert_eq!(printed, "PasswordText(***) PasswordHash(***)");
    }
}
