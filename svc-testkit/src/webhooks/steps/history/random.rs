//! Histories at random.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::text::{EVENTS, Events, NAMES, Name, URLS, Url, Written};
use super::{By, COMPANIES, Change, Expected, Held, History, Pick, Reply, Step, WORKERS};

/// Histories of up to `most` steps after a few subscriptions were created. Most of what happens is in
/// order, so that there is something to lose by what is not.
pub fn histories(most: usize) -> impl Strategy<Value = History> {
    (vec((wait(), sound_create()), 1..4), vec((wait(), step()), 1..=most)).prop_map(|(mut steps, more)| {
        steps.extend(more);
        History { steps }
    })
}

/// No two steps share an instant, so that what is listed by instant has one order.
fn wait() -> impl Strategy<Value = Duration> {
    prop_oneof![
        10 => 1_u64..2_000,
        4 => 2_000_u64..40_000,
        4 => 40_000_u64..600_000,
        1 => 600_000_u64..46_800_000,
    ]
    .prop_map(Duration::from_millis)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => prop_oneof![sound_create(), create()],
        3 => update(),
        1 => (pick(), by(), expected())
            .prop_map(|(subscription, by, expected)| Step::Rotate { subscription, by, expected }),
        1 => (pick(), by(), expected())
            .prop_map(|(subscription, by, expected)| Step::Remove { subscription, by, expected }),
        8 => publish(),
        7 => (worker(), prop_oneof![1_u32..4, Just(100)], 0_u32..3)
            .prop_map(|(worker, events, room)| Step::FanOut { worker, events, room }),
        3 => claim(),
        5 => worker().prop_map(|worker| Step::Drain { worker }),
        5 => attempt(),
        5 => (worker(), back(), 1_usize..5)
            .prop_map(|(worker, back, count)| Step::Settle { worker, back, count }),
        2 => (worker(), back(), 1_usize..4)
            .prop_map(|(worker, back, count)| Step::Release { worker, back, count }),
        14 => (worker(), prop::bool::weighted(0.7), reply())
            .prop_map(|(worker, waits, reply)| Step::Round { worker, waits, reply }),
        4 => (pick(), by()).prop_map(|(delivery, by)| Step::Redeliver { delivery, by }),
        2 => (pick(), by(), worker())
            .prop_map(|(subscription, by, worker)| Step::Test { subscription, by, worker }),
        1 => ((0_u64..100_000).prop_map(Duration::from_secs), prop_oneof![2 => Just(1_000), 1 => 1_u32..3])
            .prop_map(|(ago, limit)| Step::Purge { ago, limit }),
    ]
}

fn sound_create() -> impl Strategy<Value = Step> {
    let (names, events, urls) = (sound_of(&NAMES), sound_of(&EVENTS), sound_of(&URLS));
    let (events, urls) = (select(events), select(urls));
    let name = *names.first().expect("a sound name");
    (0..COMPANIES, events, urls).prop_map(move |(company, events, url)| Step::Create {
        company,
        name,
        url,
        events,
        held: Held::Everything,
    })
}

fn create() -> impl Strategy<Value = Step> {
    (0..COMPANIES, name(), url(), events(), held())
        .prop_map(|(company, name, url, events, held)| Step::Create { company, name, url, events, held })
}

fn update() -> impl Strategy<Value = Step> {
    let in_flight = prop_oneof![Just(0_u32), 1..257_u32, Just(257)];
    let change = (
        option::weighted(0.2, name()),
        option::weighted(0.2, url()),
        option::weighted(0.3, events()),
        option::weighted(0.6, any::<bool>()),
        option::weighted(0.2, in_flight),
    )
        .prop_map(|(name, url, events, active, in_flight)| Change {
            name,
            url,
            events,
            active,
            in_flight,
        });
    (pick(), by(), expected(), change, held()).prop_map(|(subscription, by, expected, change, held)| {
        Step::Update { subscription, by, expected, change, held }
    })
}

fn publish() -> impl Strategy<Value = Step> {
    let company = option::weighted(0.95, 0..COMPANIES);
    let kind =
        prop_oneof![5 => Just("contact.create"), 2 => Just("contact.update"), 2 => Just("invoice.pay")];
    // Up to a few seconds late: as the commit of a node whose clock is slow.
    let ago = prop_oneof![3 => Just(0_u64), 2 => 0_u64..10_000].prop_map(Duration::from_millis);
    (company, kind, 1_usize..4, ago).prop_map(|(company, kind, count, ago)| Step::Publish {
        company,
        kind,
        count,
        ago,
    })
}

fn claim() -> impl Strategy<Value = Step> {
    let room = option::weighted(0.4, (pick(), 0_u32..3));
    (worker(), 1_u32..6, 1_u32..4, room, prop::bool::weighted(0.8))
        .prop_map(|(worker, limit, each, room, retries)| Step::Claim { worker, limit, each, room, retries })
}

fn attempt() -> impl Strategy<Value = Step> {
    let takes = (0_u64..12_000).prop_map(Duration::from_millis);
    (worker(), back(), reply(), takes).prop_map(|(worker, back, reply, takes)| Step::Attempt {
        worker,
        back,
        reply,
        takes,
    })
}

/// Failures are the most frequent: they lead further.
fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        3 => select(&[200_u16, 204][..]).prop_map(Reply::Status),
        6 => select(&[500_u16, 404, 302, 199][..]).prop_map(Reply::Status),
        2 => Just(Reply::TimeOut),
    ]
}

/// Counted back from the newest.
fn back() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0_usize..3, 1 => 0_usize..30]
}

fn name() -> impl Strategy<Value = &'static Name> {
    mostly_sound(&NAMES)
}

fn url() -> impl Strategy<Value = &'static Url> {
    mostly_sound(&URLS)
}

fn events() -> impl Strategy<Value = &'static Events> {
    mostly_sound(&EVENTS)
}

fn sound_of<T: Written>(all: &'static [T]) -> Vec<&'static T> {
    all.iter().filter(|one| one.is_sound()).collect()
}

fn mostly_sound<T: Written>(all: &'static [T]) -> impl Strategy<Value = &'static T> {
    let broken: Vec<_> = all.iter().filter(|one| !one.is_sound()).collect();
    prop_oneof![15 => select(sound_of(all)), 1 => select(broken)]
}

fn held() -> impl Strategy<Value = Held> {
    prop_oneof![6 => Just(Held::Everything), 1 => Just(Held::Contacts)]
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![30 => (0_usize..40).prop_map(Pick::Made), 1 => Just(Pick::Unknown)]
}

fn by() -> impl Strategy<Value = By> {
    prop_oneof![12 => Just(By::Owner), 1 => Just(By::Stranger)]
}

fn expected() -> impl Strategy<Value = Expected> {
    prop_oneof![6 => Just(Expected::Any), 2 => Just(Expected::Current), 1 => Just(Expected::Stale)]
}

fn worker() -> impl Strategy<Value = usize> {
    0..WORKERS
}
