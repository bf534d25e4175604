//! How contacts are found by text.

use crate::contact::Contact;
use crate::party::search_key;

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
