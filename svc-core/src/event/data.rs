//! The further members of `data`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Further members of the `data` of an event, in alphabetical order: ids, counts and the like, never personal data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct EventData(BTreeMap<Cow<'static, str>, Value>);

impl EventData {
    /// Adds a member, in place of one of the same name.
    ///
    /// # Panics
    /// When the name is `object` or `id`: those every event has.
    pub fn insert(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Value>) {
        let name = name.into();
        assert!(!matches!(&*name, "object" | "id"), "every event has its `{name}` already");
        self.0.insert(name, value.into());
    }

    /// The member of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

impl<N: Into<Cow<'static, str>>, V: Into<Value>> FromIterator<(N, V)> for EventData {
    /// # Panics
    /// When [`EventData::insert`] does.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let mut data = Self::default();
        for (name, value) in members {
            data.insert(name, value);
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "every event has its `id` already")]
    fn no_member_takes_the_place_of_one_that_every_event_has() {
        let _ = EventData::from_iter([("total", 1), ("id", 2)]);
    }
}
