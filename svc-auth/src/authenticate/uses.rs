//! Last uses of tokens, collected in memory: a write per request would make
//! requests of one token wait for each other's row.

use std::collections::HashMap;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::TokenId;

use crate::parts::Parts;
use crate::ports::Use;

/// A token's uses are written no more often than this.
const SPACING: Duration = Duration::from_mins(1);

/// One slot for each token that was used lately: a client without a token cannot
/// make it grow, since only admitted requests are recorded.
pub(super) struct Uses(Parts<HashMap<TokenId, Slot>>);

#[derive(Default)]
struct Slot {
    latest: Option<Use>,
    taken_at: Option<Timestamp>,
}

impl Slot {
    fn is_due(&self, now: Timestamp) -> bool {
        // A clock that was set back does not hold a use back for longer.
        self.taken_at.is_none_or(|taken| now < taken || now.since(taken) >= SPACING)
    }
}

impl Uses {
    pub(super) fn new() -> Self {
        Self(Parts::new(HashMap::new))
    }

    pub(super) fn record(&self, latest: Use) {
        self.0.of(latest.token).entry(latest.token).or_default().latest = Some(latest);
    }

    pub(super) fn take(&self, now: Timestamp) -> Vec<Use> {
        let mut taken = Vec::new();
        for mut slots in self.0.each() {
            slots.retain(|_, slot| slot.latest.is_some() || !slot.is_due(now));
            for slot in slots.values_mut().filter(|slot| slot.is_due(now)) {
                if let Some(latest) = slot.latest.take() {
                    slot.taken_at = Some(now);
                    taken.push(latest);
                }
            }
        }
        taken
    }

    /// All of them, however long ago others of the same tokens were taken.
    pub(super) fn take_all(&self) -> Vec<Use> {
        let mut taken = Vec::new();
        for mut slots in self.0.each() {
            taken.extend(slots.values_mut().filter_map(|slot| slot.latest.take()));
        }
        taken
    }

    /// Takes back what could not be written, unless a later use is known.
    pub(super) fn put_back(&self, uses: Vec<Use>) {
        for one in uses {
            let mut slots = self.0.of(one.token);
            let slot = slots.entry(one.token).or_default();
            (slot.latest, slot.taken_at) = (slot.latest.or(Some(one)), None);
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.0.each().map(|slots| slots.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use svc_core::id::TypedId;
    use uuid::Uuid;

    use super::*;

    fn used(number: u128, second: i64) -> Use {
        let token = TokenId::from_uuid(Uuid::from_u128(number));
        Use { token, at: Timestamp::from_unix_seconds(second), from: None }
    }

    fn take(uses: &Uses, second: i64) -> Vec<Use> {
        uses.take(Timestamp::from_unix_seconds(second))
    }

    #[test]
    fn only_the_last_use_is_taken_and_at_most_one_per_token_and_minute() {
        let uses = Uses::new();
        uses.record(used(1, 0));
        uses.record(used(1, 1));
        assert_eq!(take(&uses, 2), [used(1, 1)]);
        uses.record(used(1, 30));
        uses.record(used(2, 40));
        assert_eq!(take(&uses, 61), [used(2, 40)]);
        assert_eq!(take(&uses, 62), [used(1, 30)]);
        assert_eq!(take(&uses, 500), []);
    }

    #[test]
    fn what_could_not_be_written_comes_again_and_the_end_takes_all() {
        let uses = Uses::new();
        uses.record(used(1, 0));
        uses.record(used(2, 0));
        let taken = take(&uses, 1);
        uses.record(used(2, 5));
        uses.put_back(taken);
        let mut again = take(&uses, 6);
        again.sort_by_key(|one| one.at);
        assert_eq!(again, [used(1, 0), used(2, 5)]);
        uses.record(used(1, 7));
        assert_eq!(take(&uses, 8), []);
        assert_eq!(uses.take_all(), [used(1, 7)]);
    }

    #[test]
    fn a_token_that_fell_silent_leaves_no_trace() {
        let uses = Uses::new();
        uses.record(used(1, 0));
        let _ = take(&uses, 0);
        let _ = take(&uses, 59);
        assert_eq!(uses.len(), 1);
        let _ = take(&uses, 60);
        assert_eq!(uses.len(), 0);
    }
}
