//! How contacts are found by text.

use crate::contact::Contact;
use crate::party::order_key;

impl Contact {
    /// [`order_key`] of the name; empty for an anonymous contact.
    #[must_use]
    pub fn name_key(&self) -> String {
        order_key(&self.name())
    }

    /// [`order_key`] of the e-mail address.
    #[must_use]
    pub fn email_key(&self) -> Option<String> {
        self.email.as_ref().map(|email| order_key(email.as_str()))
    }
}
