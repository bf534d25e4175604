//! What a movement is known by in statements that overlap.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use svc_statement::Movement;
use uuid::Uuid;

use crate::half_digest::half_of;
use crate::party::search_key;

/// What two movements of an account share that no statement tells apart: both dates, the amount, and texts and references
/// without regard to case, accents and spaces.
///
/// Half of a SHA-256, so that two different movements do not meet; in the form of a UUID of one's own kind (RFC 9562,
/// version 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(Uuid);

impl Fingerprint {
    /// Wraps a stored one.
    #[must_use]
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// The stored form.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }

    /// That of a movement of a statement.
    #[must_use]
    pub fn of(movement: &Movement) -> Self {
        let mut hash = Sha256::new();
        let mut add = |part: &str| {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        };
        add(&movement.booking_date.to_string());
        add(&movement.value_date.to_string());
        add(&movement.amount.minor().to_string());
        add(movement.amount.currency().code());
        add(&search_key(&movement.description));
        movement.references.iter().for_each(|reference| add(&search_key(reference)));
        Self(half_of(hash))
    }
}

/// What tells a movement from every other one of its account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// What it shares with equal ones.
    pub fingerprint: Fingerprint,
    /// How many equal ones are before it.
    pub occurrence: u32,
}

/// The place of each movement, in their order, when the account has no movement yet.
#[must_use]
pub fn placed(movements: &[Movement]) -> Vec<Place> {
    let mut seen = HashMap::<Fingerprint, u32>::new();
    let place = |movement| {
        let fingerprint = Fingerprint::of(movement);
        let next = seen.entry(fingerprint).or_default();
        let occurrence = *next;
        *next = next.saturating_add(1);
        Place { fingerprint, occurrence }
    };
    movements.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use svc_core::money::{Amount, Currency};
    use time::macros::date;

    use super::*;

    fn paid(minor: i64, text: &str, references: &[&str]) -> Movement {
        let amount = Amount::from_minor(minor, Currency::EUR).expect("in range");
        let mut movement = Movement::new(1, date!(2026 - 01 - 15), date!(2026 - 01 - 16), amount);
        text.clone_into(&mut movement.description);
        movement.references = references.iter().map(|&reference| reference.to_owned()).collect();
        movement
    }

    #[test]
    fn equal_movements_are_counted() {
        let movements = [paid(-180, "Café", &[]), paid(500, "Café", &[]), paid(-180, "CAFE", &[])];
        let occurrences: Vec<u32> = placed(&movements).iter().map(|place| place.occurrence).collect();
        assert_eq!(occurrences, [0, 0, 1]);
    }

    #[test]
    fn everything_but_the_counterparty_tells_them_apart() {
        let one = paid(-180, "Café", &["A 1"]);
        let (mut booked, mut counted, mut named) = (one.clone(), one.clone(), one.clone());
        booked.booking_date = date!(2026 - 01 - 14);
        counted.value_date = date!(2026 - 01 - 15);
        let others = [
            paid(-181, "Café", &["A 1"]),
            paid(-180, "Caña", &["A 1"]),
            paid(-180, "Café", &["A 2"]),
            paid(-180, "Café", &[]),
            paid(-180, "Café A 1", &[]),
            booked,
            counted,
        ];
        for other in &others {
            assert_ne!(Fingerprint::of(&one), Fingerprint::of(other), "{other:?}");
        }
        (named.counterparty_name, named.position) = (Some("Abeto SL".to_owned()), 7);
        assert_eq!(Fingerprint::of(&one), Fingerprint::of(&named));
    }
}
