//! How companies are found by text.

use crate::account::Account;
use crate::party::{order_key, search_key};

impl Account {
    /// The key of the legal name, by which lists are sorted.
    #[must_use]
    pub fn name_key(&self) -> String {
        search_key(&self.legal_name)
    }

    /// The key of the trade name.
    #[must_use]
    pub fn trade_name_key(&self) -> Option<String> {
        self.trade_name.as_deref().map(order_key)
    }

    /// The key of the e-mail address.
    #[must_use]
    pub fn email_key(&self) -> Option<String> {
        self.email.as_ref().map(|email| order_key(email.as_str()))
    }
}
