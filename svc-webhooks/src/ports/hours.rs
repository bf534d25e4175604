//! How the deliveries of companies went hour by hour, at a cost that does not grow with the log.
//!
//! For people who look at a chart: each hour is counted up to a limit, and of its newest deliveries a few are looked at
//! for how they went. Below both limits every number is exact.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::delivery::{Delivery, Status};

const HOUR: Duration = Duration::from_hours(1);

/// Which hours, and how much of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoursRequest {
    /// Where the first one begins.
    pub from: Timestamp,
    /// How many follow each other, that one included.
    pub hours: u8,
    /// Deliveries of a subscription that are counted in an hour at most.
    pub count: u32,
    /// The newest of them that are looked at, at most.
    pub look: u32,
}

/// The deliveries that were made in an hour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HourOfDeliveries {
    /// How many, as far as they were counted.
    pub made: u64,
    /// Whether a subscription has as many as are counted: there may be more.
    pub more: bool,
    /// How the newest of each subscription went, in no order.
    pub seen: Vec<SeenDelivery>,
}

/// What a look at a delivery tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenDelivery {
    /// Where it stands.
    pub status: Status,
    /// How long its latest attempt took.
    pub took: Option<Duration>,
}

impl HoursRequest {
    /// Where each hour begins and ends.
    pub fn spans(self) -> impl Iterator<Item = (Timestamp, Timestamp)> {
        let at = move |number: u8| self.from.plus(HOUR.saturating_mul(u32::from(number)));
        (0..self.hours).map(move |number| (at(number), at(number.saturating_add(1))))
    }

    /// Looks through deliveries, whatever their order: for a storage that has them in memory.
    pub fn of<'a>(self, deliveries: impl IntoIterator<Item = &'a Delivery>) -> Vec<HourOfDeliveries> {
        let mut newest: Vec<&Delivery> = deliveries.into_iter().collect();
        newest.sort_unstable_by_key(|delivery| std::cmp::Reverse(delivery.id));
        let hour = |(from, until): (Timestamp, Timestamp)| {
            let mut hour = HourOfDeliveries::default();
            let mut counts = BTreeMap::new();
            for delivery in newest.iter().filter(|one| (from..until).contains(&one.created_at)) {
                let found: &mut u32 = counts.entry(delivery.subscription).or_default();
                if *found < self.look {
                    let took = delivery.last.as_ref().map(|outcome| outcome.duration);
                    hour.seen.push(SeenDelivery { status: delivery.status(), took });
                }
                if *found < self.count {
                    hour.made = hour.made.saturating_add(1);
                }
                *found = found.saturating_add(1);
                hour.more |= *found >= self.count;
            }
            hour
        };
        self.spans().map(hour).collect()
    }
}
