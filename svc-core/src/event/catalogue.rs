//! Which events a service publishes.

use std::collections::BTreeMap;

use thiserror::Error;

use super::EventDeclaration;
use super::declaration::{Holds, Member};

/// The events that a service publishes, given at its start. The event of the test operation is in none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCatalogue {
    /// In the order in which they were given.
    all: Vec<EventDeclaration>,
    places: BTreeMap<&'static str, usize>,
}

/// The catalogue has no type of this name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("not an event type of the catalogue (GET /webhooks/events lists them)")]
pub struct UnknownEventType(pub String);

/// Declarations that make no catalogue.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueError {
    /// Two of them have the same name.
    #[error("the event type {0} is declared twice")]
    Twice(&'static str),
    /// This name is that of the test event.
    #[error("{0} is the event of the test operation, which every service has")]
    Test(&'static str),
    /// Schema or example of a further member are no JSON, or the schema is no object.
    #[error("the member {member} of {event} needs a JSON object as its schema and JSON as its example")]
    Member {
        /// The type.
        event: &'static str,
        /// The member.
        member: &'static str,
    },
    /// Every event has this member.
    #[error("every event has its `{member}` already, {event} too")]
    Reserved {
        /// The type.
        event: &'static str,
        /// The member.
        member: &'static str,
    },
}

impl EventCatalogue {
    /// A catalogue of these types.
    ///
    /// # Errors
    /// [`CatalogueError`].
    pub fn new(declared: impl IntoIterator<Item = EventDeclaration>) -> Result<Self, CatalogueError> {
        let mut catalogue = Self::default();
        for one in declared {
            let name = one.name();
            if name == EventDeclaration::TEST.name() {
                return Err(CatalogueError::Test(name));
            }
            one.members().iter().try_for_each(|member| check(name, member))?;
            if catalogue.places.insert(name, catalogue.all.len()).is_some() {
                return Err(CatalogueError::Twice(name));
            }
            catalogue.all.push(one);
        }
        Ok(catalogue)
    }

    /// Every type, in the order in which they were given.
    pub fn all(&self) -> impl Iterator<Item = &EventDeclaration> {
        self.all.iter()
    }

    /// How many types there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// What is declared of the type of this name, the test event too.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&EventDeclaration> {
        if name == EventDeclaration::TEST.name() {
            return Some(&EventDeclaration::TEST);
        }
        self.find(name).ok()
    }

    /// The type of this name, which can be subscribed to.
    ///
    /// # Errors
    /// [`UnknownEventType`].
    pub fn find(&self, name: &str) -> Result<&EventDeclaration, UnknownEventType> {
        let place = self.places.get(name).and_then(|place| self.all.get(*place));
        place.ok_or_else(|| UnknownEventType(name.to_owned()))
    }
}

fn check(event: &'static str, member: &Member) -> Result<(), CatalogueError> {
    let Member { name: member, holds, .. } = *member;
    if matches!(member, "object" | "id") {
        return Err(CatalogueError::Reserved { event, member });
    }
    if let Holds::Json { schema, example } = holds {
        let json = |text| serde_json::from_str::<serde_json::Value>(text).ok();
        let sound = json(schema).is_some_and(|schema| schema.is_object()) && json(example).is_some();
        return if sound { Ok(()) } else { Err(CatalogueError::Member { event, member }) };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order");

    #[test]
    fn a_type_is_found_by_its_name() {
        let catalogue =
            EventCatalogue::new([PLACED, EventDeclaration::new("order.paid", "order")]).expect("sound");
        assert_eq!(catalogue.count(), 2);
        assert_eq!(catalogue.find("order.placed"), Ok(&PLACED));
        assert_eq!(catalogue.get("order.placed"), Some(&PLACED));
        assert_eq!(catalogue.find("order.gone"), Err(UnknownEventType("order.gone".to_owned())));
        assert!(catalogue.find("webhook.test").is_err());
        assert_eq!(catalogue.get("webhook.test"), Some(&EventDeclaration::TEST));
    }

    #[test]
    fn what_makes_no_catalogue_is_refused_with_the_reason() {
        const BAD: [(EventDeclaration, &str); 4] = [
            (EventDeclaration::TEST, "test operation"),
            (PLACED, "declared twice"),
            (EventDeclaration::new("a.b", "a").with(&[Member::json("c", "{", "1", "")]), "member c of a.b"),
            (EventDeclaration::new("a.b", "a").with(&[Member::count("id", "")]), "has its `id`"),
        ];
        for (bad, reason) in BAD {
            let refused = EventCatalogue::new([PLACED, bad]).expect_err(reason).to_string();
            assert!(refused.contains(reason), "{refused}");
        }
    }
}
