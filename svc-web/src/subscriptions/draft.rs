//! A subscription as its forms have it.

use std::collections::BTreeMap;

use svc_http::visit::Form;
use svc_webhooks::subscription::{HeaderSecret, MASK, Subscription};

use super::events::Picker;
use super::subscribable;
use crate::errors::Errors;
use crate::gate::{Developer, Seen};

/// The fields of the form, as they were filled in.
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) events: Picker,
    /// A header in each line: `X-Api-Key: value`.
    pub(super) headers: String,
    pub(super) in_flight: String,
}

impl Draft {
    /// An empty form.
    pub(super) fn new(seen: &Seen<Developer>) -> Self {
        Self::read(seen, &Form::default())
    }

    /// The form that was sent.
    pub(super) fn read(seen: &Seen<Developer>, form: &Form) -> Self {
        Self {
            name: form.text("name").to_owned(),
            url: form.text("url").to_owned(),
            events: Picker::from_form(form, subscribable(seen), seen.language),
            headers: form.raw("headers").trim().to_owned(),
            in_flight: form.text("in-flight").to_owned(),
        }
    }

    /// The form of a subscription; the values of its headers stay hidden.
    pub(super) fn of(seen: &Seen<Developer>, subscription: &Subscription) -> Self {
        let listed = |name: &str| subscription.events.iter().any(|event| event.name() == name);
        let headers: Vec<String> =
            subscription.headers.iter().map(|(name, _)| format!("{name}: {MASK}")).collect();
        Self {
            name: subscription.name.clone(),
            url: subscription.endpoint.as_str().to_owned(),
            events: Picker::of(listed, subscribable(seen), seen.language),
            headers: headers.join("\n"),
            in_flight: subscription.in_flight.get().to_string(),
        }
    }

    /// The headers that the lines name; a line that names none is among the errors.
    pub(super) fn headers(
        &self,
        seen: &Seen<Developer>,
        errors: &mut Errors,
    ) -> BTreeMap<String, HeaderSecret> {
        let mut headers = BTreeMap::new();
        for line in self.headers.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_once(':') {
                Some((name, value)) => {
                    headers.insert(name.trim().to_owned(), value.trim().to_owned().into());
                }
                None => errors.add("headers", seen.texts().subscriptions.no_header),
            }
        }
        headers
    }

    /// How many attempts may be under way; `None` when the field was left empty.
    pub(super) fn in_flight(&self, seen: &Seen<Developer>, errors: &mut Errors) -> Option<u32> {
        if self.in_flight.is_empty() {
            return None;
        }
        let number = self.in_flight.parse().ok();
        if number.is_none() {
            errors.add("maxInFlight", seen.texts().subscriptions.no_number);
        }
        number
    }
}
