//! Counts of the spans that were counted in last.

use svc_core::clock::Timestamp;

use crate::limit::calendar::Span;

/// So many requests were used in each of a few spans, the one counted in last first.
///
/// Which spans are forgotten is decided by what was counted in and by no clock:
/// one that ran far ahead cannot push out the spans of others, who keep theirs
/// in front by counting in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recent(Vec<(Span, u64)>);

impl Recent {
    /// From what was stored, in its order.
    pub(super) fn of(counts: impl IntoIterator<Item = (Span, u64)>) -> Self {
        Self(counts.into_iter().collect())
    }

    /// The spans with their counts, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Span, u64)> {
        self.0.iter().copied()
    }

    /// The span that `at` is in, with its count.
    pub(super) fn find(&self, at: Timestamp) -> Option<(Span, u64)> {
        self.iter().find(|(span, _)| span.contains(at))
    }

    /// What was used in the span that `at` is in.
    pub(super) fn used(&self, at: Timestamp) -> u64 {
        self.find(at).map_or(0, |(_, used)| used)
    }

    /// Sets the count of a span, which comes to the front; keeps `most` spans.
    pub(super) fn set(&mut self, span: Span, used: u64, most: usize) {
        let place = self.0.iter().position(|(known, _)| *known == span);
        let place = place.unwrap_or_else(|| {
            self.0.truncate(most.saturating_sub(1));
            self.0.push((span, used));
            self.0.len() - 1
        });
        if let Some(until_there) = self.0.get_mut(..=place) {
            until_there.rotate_right(1);
        }
        if let Some(first) = self.0.first_mut() {
            first.1 = used;
        }
    }

    /// Takes `unused` off the span that `at` is in, wherever it stands; answers whether that changed it.
    pub(super) fn give_back(&mut self, at: Timestamp, unused: u64) -> bool {
        let Some((_, used)) = self.0.iter_mut().find(|(span, _)| span.contains(at)) else { return false };
        let before = *used;
        *used = before.saturating_sub(unused);
        *used != before
    }

    /// Whether every span is over at `now`.
    pub(super) fn are_over(&self, now: Timestamp) -> bool {
        self.0.iter().all(|(span, _)| span.until <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(number: i64) -> Span {
        Span::minute(Timestamp::from_unix_seconds(number * 60))
    }

    fn numbers(recent: &Recent) -> Vec<(i64, u64)> {
        recent.iter().map(|(span, used)| (span.from.unix_seconds() / 60, used)).collect()
    }

    #[test]
    fn the_span_that_was_counted_in_least_lately_is_forgotten_however_late_it_is() {
        let mut recent = Recent::default();
        for (number, used) in [(900, 1), (5, 2), (6, 3), (5, 4)] {
            recent.set(minute(number), used, 3);
        }
        assert_eq!(numbers(&recent), [(5, 4), (6, 3), (900, 1)]);
        recent.set(minute(7), 5, 3);
        assert_eq!(numbers(&recent), [(7, 5), (5, 4), (6, 3)]);
        assert_eq!(recent.used(minute(900).from), 0);
    }

    #[test]
    fn what_is_given_back_moves_nothing() {
        let mut recent = Recent::of([(minute(2), 5), (minute(1), 5)]);
        assert!(recent.give_back(minute(1).from, 3));
        assert!(!recent.give_back(minute(3).from, 3));
        assert_eq!(numbers(&recent), [(2, 5), (1, 2)]);
        assert!(recent.give_back(minute(1).from, 3) && !recent.give_back(minute(1).from, 3));
    }
}
