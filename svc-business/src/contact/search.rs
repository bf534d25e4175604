//! How contacts are found by text.

use crate::contact::Contact;
use crate::party;

/// The form in which a text is searched: lower case, with single spaces.
///
/// Stores keep the key of the name and of the e-mail address in columns of
/// their own. `q` matches when its key is part of one of them; lists by name
/// are in the order of the key's code points. So every store answers alike,
/// whatever its collation makes of `Ñ`.
#[must_use]
pub fn search_key(text: &str) -> String {
    party::search_key(text)
}

impl Contact {
    /// [`search_key`] of the name; empty for an anonymous contact.
    #[must_use]
    pub fn name_key(&self) -> String {
        search_key(&self.name())
    }

    /// [`search_key`] of the e-mail address.
    #[must_use]
    pub fn email_key(&self) -> Option<String> {
        self.email.as_ref().map(|email| search_key(email.as_str()))
    }
}
