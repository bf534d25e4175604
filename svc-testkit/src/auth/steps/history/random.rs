//! Histories at random.

use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use svc_core::role::Role;

use super::text::{ADDRESSES, Line, List, NAMES, PERMISSIONS, Text};
use super::{Caller, Change, Config, Expected, History, LATE, Pick, Step};
use crate::auth::TokenStep;

/// How long an operator who sets a limit lets tokens live.
const LONGEST_LIFE: Duration = Duration::from_mins(8);

/// Histories of up to `most` steps after a few tokens were created. Most of what happens is in order, so
/// that there is something to lose by what is not.
pub fn histories(most: usize) -> impl Strategy<Value = History> {
    // No two steps share an instant, so that what is listed by instant has one order.
    let wait = || tens(1_u64..6);
    let longest_life = prop::option::weighted(0.2, Just(LONGEST_LIFE));
    (longest_life, vec((wait(), sound_create()), 1..4), vec((wait(), step()), 1..=most)).prop_map(
        |(longest_life, mut steps, more)| {
            steps.extend(more);
            History { longest_life, steps }
        },
    )
}

/// So many times ten seconds: coarse, so that often something happens in the instant of something else.
fn tens(count: Range<u64>) -> impl Strategy<Value = Duration> {
    count.prop_map(|count| Duration::from_secs(10 * count))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => create(),
        1 => sound_create(),
        1 => create_beyond(),
        8 => update(),
        10 => (pick(), caller(), moves()).prop_map(|(token, caller, step)| Step::Move { token, caller, step }),
        2 => (pick(), tens(0..30)).prop_map(|(token, late)| Step::Touch { token, late }),
        3 => (person(), company(), role())
            .prop_map(|(person, company, role)| Step::SetRole { person, company, role }),
        1 => (person(), company()).prop_map(|(person, company)| Step::EndMembership { person, company }),
        2 => (company(), prop::bool::weighted(0.6)).prop_map(|(company, on)| Step::SetApiAccess { company, on }),
        1 => prop_oneof![
            6 => Just(Step::Found),
            3 => (company(), company()).prop_map(|(survivor, absorbed)| Step::Merge { survivor, absorbed }),
            1 => person().prop_map(|person| Step::Disable { person }),
        ],
    ]
}

/// Seconds from now, so many times ten at least; often just what the operator allows.
fn expires_in(least: i64) -> impl Strategy<Value = Option<i64>> {
    let longest = i64::try_from(LONGEST_LIFE.as_secs()).expect("minutes");
    let seconds = prop_oneof![4 => (least..120).prop_map(|tens| 10 * tens), 1 => Just(longest)];
    prop::option::weighted(0.5, seconds)
}

/// By a person who may, for the companies that they administer at first.
fn sound_create() -> impl Strategy<Value = Step> {
    (select(vec![0, 1, 2]), vec(0_usize..3, 0..3), prop::bool::weighted(0.5), expires_in(10)).prop_flat_map(
        |(primary, companies, group, expires_in)| {
            config().prop_map(move |config| Step::Create {
                by: 0,
                primary,
                companies: companies.clone(),
                group,
                expires_in,
                config,
            })
        },
    )
}

/// By a person who administers the company, but of the group a subsidiary or nothing at first.
fn create_beyond() -> impl Strategy<Value = Step> {
    (select(vec![1, 2]), config()).prop_map(|(by, config)| Step::Create {
        by,
        primary: 1,
        companies: Vec::new(),
        group: true,
        expires_in: None,
        config,
    })
}

fn create() -> impl Strategy<Value = Step> {
    (person(), company(), vec(company(), 0..3), prop::bool::weighted(0.4), expires_in(-3), config()).prop_map(
        |(by, primary, companies, group, expires_in, config)| Step::Create {
            by,
            primary,
            companies,
            group,
            expires_in,
            config,
        },
    )
}

fn update() -> impl Strategy<Value = Step> {
    let expected =
        prop_oneof![6 => Just(Expected::Any), 2 => Just(Expected::Current), 1 => Just(Expected::Stale)];
    let change = (
        prop::option::of(name()),
        prop::option::of(permissions()),
        prop::option::of(any::<bool>()),
        prop::option::of(addresses()),
    )
        .prop_map(|(name, permissions, personal_data, allowed_ips)| Change {
            name,
            permissions,
            personal_data,
            allowed_ips,
        });
    (pick(), caller(), expected, change).prop_map(|(token, caller, expected, change)| Step::Update {
        token,
        caller,
        expected,
        change,
    })
}

fn config() -> impl Strategy<Value = Config> {
    (name(), permissions(), any::<bool>(), addresses()).prop_map(
        |(name, permissions, personal_data, allowed_ips)| Config {
            name,
            permissions,
            personal_data,
            allowed_ips,
        },
    )
}

fn name() -> impl Strategy<Value = &'static Line> {
    mostly_sound(&NAMES)
}

fn permissions() -> impl Strategy<Value = &'static List> {
    mostly_sound(&PERMISSIONS)
}

fn addresses() -> impl Strategy<Value = &'static List> {
    mostly_sound(&ADDRESSES)
}

fn mostly_sound<W: Debug + Sync, S: Debug + Sync>(
    texts: &'static [Text<W, S>],
) -> impl Strategy<Value = &'static Text<W, S>> {
    let (sound, broken): (Vec<_>, Vec<_>) = texts.iter().partition(|text| text.outcome.is_ok());
    prop_oneof![30 => select(sound), 1 => select(broken)]
}

fn moves() -> impl Strategy<Value = TokenStep> {
    prop_oneof![
        3 => Just(TokenStep::Disable),
        3 => Just(TokenStep::Enable),
        1 => Just(TokenStep::Revoke),
        4 => Just(TokenStep::Rotate),
    ]
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![30 => any::<Index>().prop_map(Pick::Made), 1 => Just(Pick::Unknown)]
}

fn person() -> impl Strategy<Value = usize> {
    // Ana has the most to do, so that she often does it in order.
    prop_oneof![3 => Just(0), 2 => Just(1), 1 => Just(2)]
}

fn company() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(0), 3 => Just(1), 2 => Just(2), 2 => Just(3), 1 => Just(LATE)]
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        3 => select(vec![Role::Holder, Role::Administrator]),
        1 => select(vec![Role::Manager, Role::Accountant, Role::Employee, Role::Auditor]),
    ]
}

fn caller() -> impl Strategy<Value = Caller> {
    prop_oneof![4 => Just(Caller::Creator), 3 => person().prop_map(Caller::Person), 1 => Just(Caller::Operator)]
}
