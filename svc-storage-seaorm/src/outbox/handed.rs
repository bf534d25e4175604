//! Events on their way from a commit of this process to its next fan-out.
//!
//! What was committed a moment ago is known here: its own fan-out need not ask
//! the database for it. The outbox stays what counts. What is handed over is
//! forgotten when the process ends, when another process was faster, or when
//! there is too much of it; all of that is found by looking into the outbox.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use svc_core::event::Event;
use svc_webhooks::ports::Place;
use tokio::sync::Notify;

/// Events that were added to the outbox, with their places.
pub(crate) type Published = Vec<(Place, Event)>;

/// How many are kept at a time.
const MOST: usize = 10_000;
/// So long the outbox is not looked into while the process itself has enough to do: others may have added
/// to it, and ended before they took that out.
const LONGEST_WITHOUT_A_LOOK: Duration = Duration::from_millis(500);

/// What units of this process committed, and nobody has fanned out yet.
#[derive(Default)]
pub(crate) struct Handed {
    state: Mutex<State>,
    committed: Arc<Notify>,
}

#[derive(Default)]
struct State {
    events: BTreeMap<i64, Event>,
    /// Whether this process fans out at all.
    in_use: bool,
    /// When the last look began; all that was in the outbox then, or was added by this process since, and
    /// is not fanned out, is here too. `None` when there may be more.
    whole_since: Option<Instant>,
    /// Whether something was not kept since the last look began.
    lost: bool,
}

impl Handed {
    /// Notified when events were committed.
    pub(crate) fn committed(&self) -> &Arc<Notify> {
        &self.committed
    }

    /// Takes over what was just committed.
    pub(crate) fn add(&self, published: Published) {
        if published.is_empty() {
            return;
        }
        let mut state = self.state();
        if !state.in_use || state.events.len() + published.len() > MOST {
            (state.whole_since, state.lost) = (None, true);
        } else {
            state.events.extend(published.into_iter().map(|(place, event)| (place.0, event)));
        }
        drop(state);
        self.committed.notify_one();
    }

    /// The first ones, which stay until they are fanned out; `None` when the outbox has to be looked into.
    pub(crate) fn first(&self, limit: u32) -> Option<Published> {
        let state = self.state();
        let whole = state.whole_since.is_some_and(|since| since.elapsed() < LONGEST_WITHOUT_A_LOOK);
        if !whole || state.events.is_empty() {
            return None;
        }
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        Some(state.events.iter().take(most).map(|(place, event)| (Place(*place), event.clone())).collect())
    }

    /// A look into the outbox begins.
    pub(crate) fn look(&self) -> Look<'_> {
        let mut state = self.state();
        (state.in_use, state.lost) = (true, false);
        Look { handed: self, began: Instant::now() }
    }

    /// These are out of the outbox, whoever took them out.
    pub(crate) fn fanned_out(&self, places: &[Place]) {
        let mut state = self.state();
        for place in places {
            state.events.remove(&place.0);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A look into the outbox.
pub(crate) struct Look<'a> {
    handed: &'a Handed,
    began: Instant,
}

impl Look<'_> {
    /// It found these, which are all there was, or no more than was asked for.
    pub(crate) fn found(self, published: &Published, all: bool) {
        let mut state = self.handed.state();
        state.whole_since = (all && !state.lost).then_some(self.began);
        if state.whole_since.is_some() {
            state.events.extend(published.iter().map(|(place, event)| (place.0, event.clone())));
        }
    }
}

#[cfg(test)]
mod tests {
    use svc_testkit::webhooks::sample::Samples;

    use super::*;

    fn published(places: std::ops::Range<i64>) -> Published {
        let samples = Samples::new(1);
        let account = samples.account();
        places.map(|place| (Place(place), samples.event(account, "contact.create"))).collect()
    }

    fn places(first: Option<Published>) -> Option<Vec<i64>> {
        first.map(|events| events.into_iter().map(|(place, _)| place.0).collect())
    }

    #[test]
    fn what_is_committed_after_a_look_that_found_all_stays_until_it_is_fanned_out() {
        let handed = Handed::default();
        handed.add(published(0..9));
        assert_eq!(handed.state().events.len(), 0, "nobody fans out here");
        let look = handed.look();
        handed.add(published(9..10));
        look.found(&Vec::new(), true);
        handed.add(published(10..13));
        assert_eq!(places(handed.first(2)), Some(vec![9, 10]));
        assert_eq!(places(handed.first(9)), Some(vec![9, 10, 11, 12]), "they are still there");
        handed.fanned_out(&[9, 11, 12, 77].map(Place));
        assert_eq!(places(handed.first(9)), Some(vec![10]));
        handed.fanned_out(&[Place(10)]);
        assert_eq!(places(handed.first(9)), None, "another process may have added something");
    }

    #[test]
    fn the_outbox_is_looked_into_while_there_may_be_more_in_it() {
        let handed = Handed::default();
        handed.look().found(&published(5..6), false);
        handed.add(published(0..1));
        assert_eq!(places(handed.first(9)), None, "not all was seen");
        handed.look().found(&published(7..9), true);
        assert_eq!(places(handed.first(9)), Some(vec![0, 7, 8]), "what was found waits as well");
        handed.state().whole_since = Instant::now().checked_sub(LONGEST_WITHOUT_A_LOOK);
        assert_eq!(places(handed.first(9)), None, "too long ago");
    }

    #[test]
    fn what_is_too_much_is_looked_up() {
        let handed = Handed::default();
        let most = i64::try_from(MOST).expect("a small number");
        handed.look().found(&Vec::new(), true);
        handed.add(published(0..most));
        let look = handed.look();
        handed.add(published(most..most + 1));
        look.found(&Vec::new(), true);
        assert_eq!(places(handed.first(9)), None, "the last one came after the look and was not kept");
        handed.look().found(&Vec::new(), true);
        assert_eq!(places(handed.first(2)), Some(vec![0, 1]));
    }
}
