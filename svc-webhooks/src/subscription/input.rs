//! Rules of the members that a client writes, the same on create and update.

use std::collections::BTreeSet;

use svc_core::error::Validator;
use svc_core::event::{EventCatalogue, EventDeclaration, EventType};
use svc_core::permission::{Grants, Permission};
use svc_core::text::is_hidden;
use thiserror::Error;

use crate::endpoint::{Endpoint, EndpointError};
use crate::names::Names;
use crate::ports::{HttpSender, Refusal};
use crate::subscription::InFlight;

/// Why a subscription may not be as it is wanted.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// The read permissions of some events are not held.
    #[error("permissions are missing for some of the events")]
    MissingPermissions(Vec<Permission>),
    /// The URL breaks a rule of its own.
    #[error("the webhook URL is not allowed: {0}")]
    Url(#[from] EndpointError),
    /// The URL leads to a target that must not be reached.
    #[error("the webhook URL is not allowed: {0}")]
    Target(#[from] Refusal),
}

/// The endpoint of this URL, whose name leads to allowed addresses alone.
pub(super) async fn endpoint(url: &str, sender: &dyn HttpSender) -> Result<Endpoint, ChangeError> {
    let endpoint = Endpoint::parse(url)?;
    sender.check(&endpoint).await?;
    Ok(endpoint)
}

/// Longest name, in characters.
const MAX_NAME: usize = 100;

/// What a caller may subscribe to: events of a catalogue whose permission it holds.
#[derive(Clone, Copy, Debug)]
pub struct Subscribable<'a> {
    /// The events that there are.
    pub catalogue: &'a EventCatalogue,
    /// What the caller may do.
    pub held: &'a Grants,
    /// What the headers and secrets of the service are called.
    pub(super) names: &'a Names,
}

impl<'a> Subscribable<'a> {
    /// Events of this catalogue as far as the caller holds their permissions, by the standard [`Names`].
    #[must_use]
    pub const fn new(catalogue: &'a EventCatalogue, held: &'a Grants) -> Self {
        Self { catalogue, held, names: &Names::STANDARD }
    }

    /// The same in a service with names of its own: secrets have its mark, and no header of a subscription
    /// begins with its prefix.
    #[must_use]
    pub const fn named(self, names: &'a Names) -> Self {
        Self { names, ..self }
    }

    /// The permissions of these events that are not held, in the order of their names.
    ///
    /// Names that are no event have no permission: what is asked for is refused for them by itself.
    pub fn missing<'b>(&self, names: impl IntoIterator<Item = &'b str>) -> Vec<Permission> {
        let declared = names.into_iter().filter_map(|name| self.catalogue.find(name).ok());
        let missing: BTreeSet<_> = declared.filter_map(|declared| self.withheld(declared)).collect();
        missing.into_iter().collect()
    }

    /// Passes when the caller holds what these events need: a caller who has one of them sent, or is
    /// shown what signs them, could have subscribed to it. What an event needs that this service does not know of cannot be told.
    ///
    /// # Errors
    /// [`ChangeError::MissingPermissions`].
    pub fn require<'b>(&self, kinds: impl IntoIterator<Item = &'b EventType>) -> Result<(), ChangeError> {
        let missing = self.missing(kinds.into_iter().map(EventType::name));
        if missing.is_empty() { Ok(()) } else { Err(ChangeError::MissingPermissions(missing)) }
    }

    /// Every event that the caller may subscribe to, in the order of the catalogue.
    pub fn all(self) -> impl Iterator<Item = &'a EventDeclaration> {
        self.catalogue.all().filter(move |declared| self.withheld(declared).is_none())
    }

    /// The permission of an event, if it is not held.
    pub(super) fn withheld(&self, declared: &EventDeclaration) -> Option<Permission> {
        declared.permission().filter(|needed| !self.held.cover(*needed))
    }
}

/// The name without surrounding blanks.
pub(super) fn name(text: &str, validator: &mut Validator) -> String {
    let name = text.trim();
    if validator.require(!name.is_empty(), "name", "required", "a name of 1 to 100 characters") {
        validator.require(name.chars().count() <= MAX_NAME, "name", "too_long", "at most 100 characters");
        let seen = !name.chars().any(is_hidden);
        validator.require(seen, "name", "invalid_characters", "only characters that can be seen");
    }
    name.to_owned()
}

/// The types that these names stand for, each once.
pub(super) fn events(
    names: &[String],
    catalogue: &EventCatalogue,
    validator: &mut Validator,
) -> BTreeSet<EventType> {
    validator.require(!names.is_empty(), "events", "required", "at least one event type");
    let distinct: BTreeSet<&String> = names.iter().collect();
    // So many cannot all be known: one finding instead of one per name.
    let most = catalogue.count();
    if !validator.require(distinct.len() <= most, "events", "too_many", format!("at most {most} event types"))
    {
        return BTreeSet::new();
    }
    let mut types = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (at, name) in names.iter().enumerate().filter(|(_, name)| seen.insert(*name)) {
        let field = || format!("events[{at}]");
        if name == EventDeclaration::TEST.name() {
            validator.fail(field(), "not_subscribable", format!("{name} cannot be subscribed to"));
        } else if let Some(declared) = validator.take(&field(), "unknown_event", catalogue.find(name)) {
            types.insert(declared.kind());
        }
    }
    types
}

/// How many attempts may be under way at a time.
pub(super) fn in_flight(number: u32, validator: &mut Validator) -> Option<InFlight> {
    let in_flight = u16::try_from(number).ok().and_then(InFlight::new);
    let (least, most) = (InFlight::LEAST.get(), InFlight::MOST.get());
    validator.require(
        in_flight.is_some(),
        "maxInFlight",
        "out_of_range",
        format!("a number from {least} to {most}"),
    );
    in_flight
}
