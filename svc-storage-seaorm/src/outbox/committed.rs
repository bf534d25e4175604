//! Events on their way from a commit of this process to its next fan-out.
//!
//! What was committed a moment ago is known here: its own fan-out need not ask
//! the database for it. The outbox stays what counts. What is handed over is
//! forgotten when the process ends, when another process was faster, or when
//! there is too much of it; all of that is found by looking into the outbox.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use svc_core::event::Event;
use svc_core::id::AccountId;
use svc_webhooks::ports::OutboxPosition;
use tokio::sync::Notify;

use super::ahead::Ahead;
use crate::statement::Published;

/// Events of the outbox, with their places.
pub(crate) type Waiting = Vec<(OutboxPosition, Event)>;

/// How many are kept at a time.
const MOST: usize = 10_000;
/// Companies that find room in one look, whatever others have published before.
const EACH: usize = 10;
/// So few of one company are never too many.
const FEW: usize = 16;
/// So long the outbox is not looked into while the process itself has enough to do: others may have added
/// to it, and ended before they took that out.
const WITHOUT_A_LOOK: Duration = Duration::from_millis(500);
/// The same, after a look that found what others had added.
const WITHOUT_A_LOOK_BESIDE_OTHERS: Duration = Duration::from_millis(20);

/// What units of this process committed and no server has fanned out yet.
#[derive(Default)]
pub(crate) struct CommittedEvents {
    state: Mutex<State>,
    committed: Arc<Notify>,
    ahead: Ahead,
}

#[derive(Default)]
struct State {
    events: BTreeMap<OutboxPosition, Event>,
    /// Whether this process fans out at all.
    in_use: bool,
    /// Until then, what is here is as good as the outbox: all that was in it at the last look, and all that
    /// this process added since. `None` when there may be more.
    whole_until: Option<Instant>,
    /// Whether something was not kept since the last look began.
    lost: bool,
}

impl CommittedEvents {
    /// Notified when events were committed.
    pub(crate) fn committed(&self) -> &Arc<Notify> {
        &self.committed
    }

    /// What is read while an event is being committed.
    pub(crate) fn ahead(&self) -> &Ahead {
        &self.ahead
    }

    /// This event, and nothing else, is about to be committed.
    pub(crate) fn alone(&self, event: &Event) {
        let is_next = {
            let state = self.state();
            state.in_use && state.events.is_empty()
        };
        if is_next {
            self.ahead.begin(event);
        }
    }

    /// Takes over what was just committed, and wakes the fan-out.
    pub(crate) fn add(&self, published: Published) {
        if self.keep(published) {
            self.wake();
        }
    }

    /// Wakes the fan-out.
    pub(crate) fn wake(&self) {
        self.committed.notify_one();
    }

    /// Something was added to the outbox that is not known here: the next fan-out looks into it.
    pub(crate) fn added_elsewhere(&self) {
        let mut state = self.state();
        (state.whole_until, state.lost) = (None, true);
        drop(state);
        self.wake();
    }

    /// Takes over what was just committed; answers whether there is something to fan out.
    pub(crate) fn keep(&self, published: Published) -> bool {
        if published.is_empty() {
            return false;
        }
        let mut state = self.state();
        if !state.in_use || state.events.len() + published.len() > MOST {
            (state.whole_until, state.lost) = (None, true);
        } else {
            let placed =
                |(position, event): (i64, Event)| (OutboxPosition { position, event: event.id }, event);
            state.events.extend(published.into_iter().map(placed));
        }
        true
    }

    /// The first ones, which stay until they are fanned out, and whether there are more; `None` when the
    /// outbox has to be looked into.
    pub(crate) fn first(&self, limit: u32) -> Option<(Waiting, bool)> {
        let state = self.state();
        let whole = state.whole_until.is_some_and(|until| Instant::now() < until);
        if !whole || state.events.is_empty() {
            return None;
        }
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = state.events.len() > most;
        // Of those of one company no more than a part, while others have some too.
        let each = if more { most.div_ceil(EACH).max(FEW) } else { most };
        let mut of: HashMap<Option<AccountId>, usize> = HashMap::new();
        let mut part = |event: &Event| {
            let count = of.entry(event.account()).or_default();
            *count += 1;
            *count <= each
        };
        let (first, rest): (Vec<_>, Vec<_>) = state.events.iter().partition(|(_, event)| part(event));
        let first = first.into_iter().chain(rest).take(most);
        let mut first: Waiting = first.map(|(place, event)| (*place, event.clone())).collect();
        first.sort_unstable_by_key(|(place, _)| *place);
        Some((first, more))
    }

    /// A look into the outbox begins: it will find what is here, and not what others took meanwhile.
    pub(crate) fn look(&self) -> Look<'_> {
        let mut state = self.state();
        (state.in_use, state.lost, state.whole_until) = (true, false, None);
        let before = std::mem::take(&mut state.events);
        Look { committed: self, before, began: Instant::now() }
    }

    /// A fan-out has tried to take these out of the outbox. What is left of them is found by looking.
    pub(crate) fn fanned_out(&self, places: &[OutboxPosition]) {
        let mut state = self.state();
        for place in places {
            state.events.remove(place);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A look into the outbox.
pub(crate) struct Look<'a> {
    committed: &'a CommittedEvents,
    /// What was here when it began.
    before: BTreeMap<OutboxPosition, Event>,
    began: Instant,
}

impl Look<'_> {
    /// It found these, which are all there was, or no more than was asked for.
    pub(crate) fn found(self, published: &Waiting, all: bool) {
        let mut state = self.committed.state();
        if !all || state.lost {
            return;
        }
        let ours =
            |place: &OutboxPosition| self.before.contains_key(place) || state.events.contains_key(place);
        let beside_others = !published.iter().all(|(place, _)| ours(place));
        let good_for = if beside_others { WITHOUT_A_LOOK_BESIDE_OTHERS } else { WITHOUT_A_LOOK };
        state.whole_until = Some(self.began + good_for);
        state.events.extend(published.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use svc_core::error::StoreError;
    use svc_testkit::webhooks::sample::Samples;

    use super::super::ahead::{ReadsReceivers, Receivers};
    use super::*;

    /// Knows no receiver.
    struct NoReceivers;

    #[async_trait]
    impl ReadsReceivers for NoReceivers {
        async fn receivers_of(&self, _: AccountId) -> Result<Receivers, StoreError> {
            Ok(Vec::new())
        }
    }

    /// Events at positions of the outbox.
    struct Outbox {
        samples: Samples,
        account: AccountId,
    }

    impl Outbox {
        fn new() -> Self {
            let samples = Samples::new(1);
            Self { account: samples.account(), samples }
        }

        fn published(&self, positions: impl IntoIterator<Item = i64>) -> Waiting {
            let at = |position| {
                let event = self.samples.event(self.account, "contact.create");
                (OutboxPosition { position, event: event.id }, event)
            };
            positions.into_iter().map(at).collect()
        }
    }

    fn places(published: &Waiting) -> Vec<OutboxPosition> {
        published.iter().map(|(place, _)| *place).collect()
    }

    /// These were committed just now.
    fn add(committed: &CommittedEvents, published: Waiting) {
        committed.add(published.into_iter().map(|(place, event)| (place.position, event)).collect());
    }

    /// The positions of the first ones, and whether there are more.
    fn first(committed: &CommittedEvents, limit: u32) -> Option<(Vec<i64>, bool)> {
        let (published, more) = committed.first(limit)?;
        Some((published.iter().map(|(place, _)| place.position).collect(), more))
    }

    /// A process that has looked and found nothing.
    fn looked() -> CommittedEvents {
        let committed = CommittedEvents::default();
        committed.look().found(&Vec::new(), true);
        committed
    }

    #[test]
    fn what_is_committed_since_a_look_that_found_all_stays_until_it_is_fanned_out() {
        let (committed, outbox) = (CommittedEvents::default(), Outbox::new());
        add(&committed, outbox.published(0..9));
        assert_eq!(committed.state().events.len(), 0, "no server fans out here");
        let look = committed.look();
        let meanwhile = outbox.published([9]);
        add(&committed, meanwhile.clone());
        look.found(&Vec::new(), true);
        let since = outbox.published(10..13);
        add(&committed, since.clone());
        assert_eq!(first(&committed, 2), Some((vec![9, 10], true)));
        assert_eq!(first(&committed, 4), Some((vec![9, 10, 11, 12], false)), "they are still there");
        committed.fanned_out(&places(&since));
        assert_eq!(first(&committed, 9), Some((vec![9], false)));
        committed.fanned_out(&places(&meanwhile));
        assert_eq!(first(&committed, 9), None, "another process may have added something");
    }

    #[tokio::test(start_paused = true)]
    async fn receivers_are_read_ahead_for_what_comes_alone() {
        let (committed, outbox) = (looked(), Outbox::new());
        committed.ahead().read_by(Arc::new(NoReceivers));
        let published = outbox.published(0..3);
        let [first, second, third] = [0, 1, 2].map(|one: usize| &published.get(one).expect("three").1);
        committed.alone(first);
        assert_eq!(committed.ahead().take(first.id).await.map(|found| found.len()), Some(0));
        add(&committed, outbox.published([3]));
        committed.alone(second);
        assert!(committed.ahead().take(second.id).await.is_none(), "there is another one");
        let idle = CommittedEvents::default();
        idle.ahead().read_by(Arc::new(NoReceivers));
        idle.alone(third);
        assert!(idle.ahead().take(third.id).await.is_none(), "no server fans out here");
    }

    #[test]
    fn what_one_company_publishes_by_thousands_leaves_room_for_others() {
        let (committed, loud) = (looked(), Outbox::new());
        add(&committed, loud.published(0..500));
        let quiet = Outbox { account: loud.samples.account(), samples: Samples::new(2) };
        add(&committed, quiet.published(500..502));
        let (positions, more) = first(&committed, 200).expect("all is known");
        assert_eq!(positions, (0..198).chain([500, 501]).collect::<Vec<_>>());
        assert!(more);
    }

    #[test]
    fn a_position_that_was_given_again_is_another_place() {
        let (committed, outbox) = (looked(), Outbox::new());
        let [before, after] = [(); 2].map(|()| outbox.published([1]));
        add(&committed, before.clone());
        add(&committed, after.clone());
        committed.fanned_out(&places(&before));
        assert_eq!(committed.first(9), Some((after, false)));
    }

    #[test]
    fn the_outbox_is_looked_into_while_there_may_be_more_in_it() {
        let (committed, outbox) = (CommittedEvents::default(), Outbox::new());
        committed.look().found(&outbox.published([5]), false);
        let own = outbox.published([0]);
        add(&committed, own.clone());
        assert_eq!(first(&committed, 9), None, "not all was seen");
        let all = [own, outbox.published(7..9)].concat();
        committed.look().found(&all, true);
        committed.state().whole_until = Some(Instant::now() + Duration::from_mins(1));
        assert_eq!(first(&committed, 9), Some((vec![0, 7, 8], false)), "what was found waits as well");
        committed.state().whole_until = Some(Instant::now());
        assert_eq!(first(&committed, 9), None, "too long ago");
    }

    #[tokio::test]
    async fn what_a_service_added_itself_is_looked_for_at_once() {
        let (committed, outbox) = (looked(), Outbox::new());
        add(&committed, outbox.published([1]));
        committed.committed().notified().await;
        assert!(first(&committed, 9).is_some());
        committed.added_elsewhere();
        assert_eq!(first(&committed, 9), None, "it is not here");
        committed.committed().notified().await;
    }

    #[test]
    fn beside_others_the_outbox_is_looked_into_soon() {
        let (committed, outbox) = (looked(), Outbox::new());
        let good_for = |found: &Waiting| {
            let look = committed.look();
            let began = look.began;
            look.found(found, true);
            committed.state().whole_until.map(|until| until - began)
        };
        let own = outbox.published(0..3);
        add(&committed, own.clone());
        assert_eq!(good_for(&own), Some(WITHOUT_A_LOOK));
        let all = [own, outbox.published([3])].concat();
        assert_eq!(good_for(&all), Some(WITHOUT_A_LOOK_BESIDE_OTHERS));
        assert_eq!(good_for(&all), Some(WITHOUT_A_LOOK), "they are known by now");
    }

    #[test]
    fn what_is_too_much_is_looked_up_and_what_others_took_makes_room() {
        let (committed, outbox) = (looked(), Outbox::new());
        let most = i64::try_from(MOST).expect("a small number");
        add(&committed, outbox.published(0..most));
        assert!(committed.state().whole_until.is_some());
        add(&committed, outbox.published([most]));
        assert_eq!(committed.state().whole_until, None, "the last one is not here");
        let look = committed.look();
        add(&committed, outbox.published(0..=most));
        look.found(&Vec::new(), true);
        assert_eq!(committed.state().whole_until, None, "nor what came after the look and was too much");
        committed.look().found(&Vec::new(), true);
        add(&committed, outbox.published([1]));
        assert_eq!(first(&committed, 9), Some((vec![1], false)), "all others were gone");
    }
}
