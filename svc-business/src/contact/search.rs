//! How contacts are found by text.

use crate::contact::Contact;
use crate::party::{order_key, search_key};

impl Contact {
    /// [`search_key`] of the name, by which lists are sorted; empty for an anonymous contact.
    #[must_use]
    pub fn name_key(&self) -> String {
        search_key(&self.name())
    }

    /// [`order_key`] of the e-mail address.
    #[must_use]
    pub fn email_key(&self) -> Option<String> {
        self.email.as_ref().map(|email| order_key(email.as_str()))
    }
}
