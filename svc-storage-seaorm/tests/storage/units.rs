//! What holds for a unit of work on both engines.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use svc_business::contact::Contact;
use svc_business::ports::{AccountUnit as _, ContactUnit as _};
use svc_core::error::StoreError;
use svc_core::resource::Resource as _;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::{Database, Keys, OpenError};
use svc_testkit::audit::noted;
use svc_testkit::business::sample::{bare_account, contact_id, organization};
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::deliveries_for;
use svc_webhooks::ports::WebhookUnit as _;
use svc_webhooks::ports::{ClaimRequest, FanOut, InitialLease, Lease};
use svc_webhooks::retry::RetrySchedule;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW, everything};

on_both! {
    read_then_write_never_fails_under_contention
    a_dropped_unit_leaves_the_units_around_it_whole
    a_unit_that_waits_in_vain_holds_no_other_up
    insertions_that_were_put_off_are_seen_by_their_unit
    an_insertion_that_fails_late_takes_its_whole_unit_with_it
    of_units_that_commit_at_the_same_time_only_those_to_blame_fail
    twenty_thousand_deliveries_go_into_one_unit
    migrating_again_changes_nothing
    another_master_key_is_refused
}

async fn insert(fresh: &Fresh, number: u128) {
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &bare_account(number)).await.expect("inserted");
    unit.commit().await.expect("committed");
}

async fn read_then_write_never_fails_under_contention(fresh: &Fresh) {
    insert(fresh, 1).await;
    let id = bare_account(1).id;
    let tasks: Vec<_> = (0..16)
        .map(|task| {
            let database = fresh.database.clone();
            tokio::spawn(async move {
                for round in 0..50_u128 {
                    let unit = database.begin().await.expect("a unit");
                    unit.accounts().find(&everything(), id).await.expect("read");
                    let account = bare_account(1_000 + task * 100 + round);
                    unit.accounts().insert(&everything(), &account).await.expect("written");
                    unit.commit().await.expect("committed");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task failed");
    }
    for task in 0..16 {
        for round in 0..50 {
            let id = bare_account(1_000 + task * 100 + round).id;
            let found = fresh.database.business().accounts().find(&everything(), id).await.expect("read");
            assert!(found.is_some(), "{task}/{round}");
        }
    }
}

async fn a_dropped_unit_leaves_the_units_around_it_whole(fresh: &Fresh) {
    let tasks: Vec<_> = (0..40_u128)
        .map(|number| {
            let database = fresh.database.clone();
            tokio::spawn(async move {
                let unit = database.begin().await.expect("a unit");
                unit.accounts().insert(&everything(), &bare_account(number)).await.expect("written");
                if number % 2 == 0 {
                    unit.commit().await.expect("committed");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task failed");
    }
    for number in 0..40_u128 {
        let id = bare_account(number).id();
        let found = fresh.database.business().accounts().find(&everything(), id).await.expect("read");
        assert_eq!(found.is_some(), number % 2 == 0, "{number}");
    }
}

async fn a_unit_that_waits_in_vain_holds_no_other_up(fresh: &Fresh) {
    let first = fresh.database.begin().await.expect("a unit");
    first.accounts().insert(&everything(), &bare_account(1)).await.expect("written");
    // These give up while they wait in line, or, with a connection of their own, when they have one.
    for _ in 0..20 {
        drop(tokio::time::timeout(Duration::from_micros(200), fresh.database.begin()).await);
    }
    let waiter = {
        let database = fresh.database.clone();
        tokio::spawn(async move { database.begin().await.map(drop) })
    };
    first.commit().await.expect("committed");
    waiter.await.expect("no panic").expect("a unit");
    insert(fresh, 2).await;
}

async fn insertions_that_were_put_off_are_seen_by_their_unit(fresh: &Fresh) {
    insert(fresh, 1).await;
    let company = bare_account(1).id;
    let [first, second] = ["Acme", "Umbra"].map(|name| organization(company, name.len() as u128, name));
    let unit = fresh.database.begin().await.expect("a unit");
    unit.contacts().insert(&everything(), &first).await.expect("written");
    let found = unit.contacts().find(&everything(), first.id).await.expect("read");
    assert_eq!(found.as_ref(), Some(&first), "before the transaction began");
    unit.contacts().insert(&everything(), &second).await.expect("written");
    let found = unit.contacts().find(&everything(), second.id).await.expect("read");
    assert_eq!(found.as_ref(), Some(&second), "and within it");
    drop(unit);
    for contact in [first, second] {
        let found = fresh.database.business().contacts().find(&everything(), contact.id).await.expect("read");
        assert_eq!(found, None, "the unit was dropped");
    }
}

async fn an_insertion_that_fails_late_takes_its_whole_unit_with_it(fresh: &Fresh) {
    insert(fresh, 1).await;
    let company = bare_account(1).id;
    let child = Contact { parent: Some(contact_id(2)), ..organization(company, 1, "Acme") };
    let event = Samples::new(2).event(company, "contact.create");
    let outcome = async {
        let unit = fresh.database.begin().await?;
        unit.contacts().insert(&everything(), &child).await?;
        unit.outbox().publish(&[event]).await?;
        unit.commit().await
    };
    assert!(matches!(outcome.await, Err(StoreError::Conflict)), "its parent is gone");
    let found = fresh.database.business().contacts().find(&everything(), child.id).await.expect("read");
    assert_eq!(found, None);
    assert!(fresh.database.webhooks().queue().waiting(9).await.expect("read").events.is_empty());
}

async fn of_units_that_commit_at_the_same_time_only_those_to_blame_fail(fresh: &Fresh) {
    insert(fresh, 1).await;
    let company = bare_account(1).id;
    let samples = Arc::new(Samples::new(3));
    let is_to_blame = |number: u128| number.is_multiple_of(7);
    let tasks: Vec<_> = (1..=60_u128)
        .map(|number| {
            let (database, samples) = (fresh.database.clone(), Arc::clone(&samples));
            let parent = is_to_blame(number).then(|| contact_id(1_000));
            let contact = Contact { parent, ..organization(company, number, "Acme") };
            tokio::spawn(async move {
                let unit = database.begin().await?;
                unit.contacts().insert(&everything(), &contact).await?;
                unit.outbox().publish(&[samples.event(company, "contact.create")]).await?;
                unit.commit().await
            })
        })
        .collect();
    let mut committed = 0;
    for (task, number) in tasks.into_iter().zip(1..) {
        let outcome = task.await.expect("a task");
        assert_eq!(
            matches!(outcome, Err(StoreError::Conflict)),
            is_to_blame(number),
            "{number}: {outcome:?}"
        );
        committed += usize::from(outcome.is_ok());
        let id = organization(company, number, "Acme").id;
        let found = fresh.database.business().contacts().find(&everything(), id).await.expect("read");
        assert_eq!(found.is_some(), !is_to_blame(number), "{number}");
    }
    assert_eq!(committed, 52);
    let waiting = fresh.database.webhooks().queue().waiting(100).await.expect("read").events;
    assert_eq!(waiting.len(), committed, "each has its event, and what failed has none");
}

async fn twenty_thousand_deliveries_go_into_one_unit(fresh: &Fresh) {
    const EVENTS: usize = 20_000;
    let samples = Samples::new(1);
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    let unit = fresh.database.begin().await.expect("a unit");
    assert!(unit.subscriptions().insert(&subscription, 20).await.expect("inserted"));
    let events: Vec<_> = (0..EVENTS).map(|_| samples.event(subscription.account, "contact.create")).collect();
    unit.outbox().publish(&events).await.expect("published");
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");

    let limit = u32::try_from(EVENTS).expect("a small number");
    let webhooks = fresh.database.webhooks();
    let waiting = webhooks.queue().waiting(limit).await.expect("read");
    let (positions, events): (Vec<_>, Vec<_>) = waiting.events.into_iter().unzip();
    let attempts = RetrySchedule::STANDARD.attempts();
    let queued = deliveries_for(&events, &waiting.subscriptions, attempts, samples.now(), samples.random());
    let initial_lease = InitialLease { lease: Lease::generate(samples.random()), until: samples.now() };
    let batch = FanOut { positions, leased: Vec::new(), queued, initial_lease };
    let done = webhooks.queue().fan_out(&batch).await.expect("fanned out");
    assert_eq!((done.events.len(), done.deliveries.len()), (EVENTS, EVENTS));
    let mut leased = BTreeSet::new();
    while leased.len() < EVENTS {
        let batch = webhooks
            .queue()
            .claim(&ClaimRequest::any(1_000), samples.now(), Duration::from_secs(30))
            .await
            .expect("claimed")
            .leased;
        assert_eq!(batch.len(), 1_000);
        leased.extend(batch.into_iter().map(|leased| leased.delivery.id));
    }
}

async fn migrating_again_changes_nothing(fresh: &Fresh) {
    assert_eq!(fresh.database.pending_migrations().await.expect("read"), Vec::<&str>::new());
    let (one, other) = tokio::join!(fresh.database.migrate(NOW), fresh.database.migrate(NOW));
    assert_eq!(one.expect("migrated"), Vec::<&str>::new());
    assert_eq!(other.expect("migrated"), Vec::<&str>::new());
}

async fn another_master_key_is_refused(fresh: &Fresh) {
    let other = fresh.settings.clone().keys(Keys::new(1, [8; 32]));
    let other = match other.url.strip_prefix("sqlite://") {
        // The file itself is locked: a copy stands in for a later start.
        Some(_) => {
            let copy = fresh.folder().join("copy.db");
            fresh.database.backup(&copy).await.expect("copied");
            other.url(format!("sqlite://{}", copy.display()))
        }
        None => other,
    };
    let error = Database::open(&other).await.expect_err("refused");
    assert!(matches!(error, OpenError::WrongMasterKey), "{error}");
}
