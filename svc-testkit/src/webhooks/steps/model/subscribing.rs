//! Subscriptions: parts 2.2, 3.2 and 4.1 of the specification.

use super::{Model, ModelSubscription};
use crate::webhooks::steps::history::{
    By, Change, Events, Expected, Held, Name, Url, Verdict, beyond_contacts,
};
use crate::webhooks::steps::seen::{Answer, SeenSubscription};

/// The attempts that may be under way to a subscription whose owner asked for nothing else.
const IN_FLIGHT: u16 = 32;

impl Model {
    pub(in super::super) fn create(
        &mut self,
        company: usize,
        (name, url, events): (&Name, &Url, &Events),
        held: Held,
    ) -> Answer {
        if let Some(refusal) = refusal(Some(name), Some(url), Some(events), None, held) {
            return refusal;
        }
        let number = self.subscriptions.len();
        let seen = SeenSubscription {
            number,
            company,
            name: name.outcome.expect("checked before").to_owned(),
            url: url.written.to_owned(),
            events: events.outcome.expect("checked before").to_vec(),
            active_since: Some(self.now),
            in_flight: IN_FLIGHT,
            secret: 0,
            version: 1,
            created_at: self.now,
            updated_at: self.now,
        };
        self.subscriptions.push(Some(ModelSubscription { seen, was_off: false }));
        self.audited.push((company, vec!["subscription.create"]));
        Answer::Created(number)
    }

    pub(in super::super) fn update(
        &mut self,
        number: Option<usize>,
        (by, expected, held): (By, Expected, Held),
        change: &Change,
    ) -> Answer {
        let Change { name, url, events, active, in_flight } = change;
        if let Some(refusal) = refusal(*name, *url, *events, *in_flight, held) {
            return refusal;
        }
        let before = match self.at_version(number, by, expected) {
            Ok(before) => before.clone(),
            Err(refusal) => return refusal,
        };
        let mut after = before.clone();
        let seen = &mut after.seen;
        let moves = url.is_some_and(|url| url.written != seen.url);
        let wakes = *active == Some(true) && seen.active_since.is_none();
        if (moves || wakes) && events.is_none() && matches!(held, Held::Contacts) {
            let missing = beyond_contacts(&seen.events);
            if !missing.is_empty() {
                return Answer::MissingPermissions(missing.to_vec());
            }
        }
        if let Some(name) = name {
            name.outcome.expect("checked before").clone_into(&mut seen.name);
        }
        if let Some(url) = url {
            url.written.clone_into(&mut seen.url);
        }
        if let Some(events) = events {
            seen.events = events.outcome.expect("checked before").to_vec();
        }
        if let Some(in_flight) = in_flight {
            seen.in_flight = u16::try_from(*in_flight).expect("checked before");
        }
        match active {
            Some(true) => seen.active_since = seen.active_since.or(Some(self.now)),
            Some(false) => {
                seen.active_since = None;
                after.was_off = true;
            }
            None => {}
        }
        if after.seen == before.seen {
            return Answer::Changed(before.seen.version);
        }
        self.changed(after, "subscription.update")
    }

    pub(in super::super) fn rotate(&mut self, number: Option<usize>, by: By, expected: Expected) -> Answer {
        let mut after = match self.at_version(number, by, expected) {
            Ok(before) => before.clone(),
            Err(refusal) => return refusal,
        };
        after.seen.secret += 1;
        self.changed(after, "subscription.rotate_secret")
    }

    /// A removed subscription takes everything of it along.
    pub(in super::super) fn remove(&mut self, number: Option<usize>, by: By, expected: Expected) -> Answer {
        let number = match self.at_version(number, by, expected) {
            Ok(before) => before.seen.number,
            Err(refusal) => return refusal,
        };
        *self.subscriptions.get_mut(number).expect("it is there") = None;
        self.deliveries.retain(|_, queued| queued.subscription != number);
        self.audit(number, "subscription.delete");
        Answer::Removed
    }

    fn at_version(
        &self,
        number: Option<usize>,
        by: By,
        expected: Expected,
    ) -> Result<&ModelSubscription, Answer> {
        let found = self.reached(number, by).ok_or(Answer::NotFound)?;
        match expected {
            Expected::Any | Expected::Current => Ok(found),
            Expected::Stale => Err(Answer::Version(found.seen.version)),
        }
    }

    fn changed(&mut self, mut after: ModelSubscription, action: &'static str) -> Answer {
        after.seen.version += 1;
        after.seen.updated_at = self.now;
        let (number, version) = (after.seen.number, after.seen.version);
        self.audit(number, action);
        *self.subscriptions.get_mut(number).expect("it is there") = Some(after);
        Answer::Changed(version)
    }

    fn audit(&mut self, number: usize, action: &'static str) {
        self.audited.get_mut(number).expect("it was created").1.push(action);
    }
}

/// Missing permissions come first, then every broken rule of the members, then the URL.
fn refusal(
    name: Option<&Name>,
    url: Option<&Url>,
    events: Option<&Events>,
    in_flight: Option<u32>,
    held: Held,
) -> Option<Answer> {
    let missing = match held {
        Held::Everything => &[][..],
        Held::Contacts => events.map_or(&[][..], |events| events.beyond_contacts),
    };
    if !missing.is_empty() {
        return Some(Answer::MissingPermissions(missing.to_vec()));
    }
    let name = name.and_then(|name| name.outcome.err()).map(|code| ("name", code));
    let events = events.and_then(|events| events.outcome.err());
    let in_flight =
        in_flight.filter(|number| !(1..=256).contains(number)).map(|_| ("maxInFlight", "out_of_range"));
    let broken: Vec<_> = [name, events, in_flight]
        .into_iter()
        .flatten()
        .map(|(field, code)| (field.to_owned(), code))
        .collect();
    if !broken.is_empty() {
        return Some(Answer::Invalid(broken));
    }
    match url.map(|url| url.verdict) {
        None | Some(Verdict::Allowed) => None,
        Some(Verdict::Malformed) => Some(Answer::Url),
        Some(Verdict::Refused) => Some(Answer::Refused),
    }
}
