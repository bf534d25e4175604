//! Replays are run by a deliverer that was given their storage, and by no other.

use std::sync::Arc;
use std::time::Duration;

use svc_testkit::audit::noted;
use svc_testkit::fakes::{FakeSender, SeededRandom};
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::ports::ReplayStorage;
use svc_webhooks::replay::{Replay, Status};
use svc_webhooks::subscription::CLOCK_SKEW;
use svc_worker::Deliverer;

/// A replay of three events that nothing was subscribed to when they happened.
async fn replayed(storage: &MemoryWebhooks, samples: &Samples) -> Replay {
    let account = samples.account();
    let events = [(); 3].map(|()| samples.event(account, "contact.create"));
    storage.append(&events);
    let subscription = samples.subscription(account, &["contact.create"]);
    let replay = Replay::of(samples.selection(&subscription), 3, samples.random());
    let unit = storage.begin_replay().await.expect("begun");
    assert!(unit.subscriptions().insert(&subscription, 1).await.expect("added"));
    assert!(unit.replays().insert(&replay, 1).await.expect("added"));
    noted(&*unit, account).await.expect("noted");
    unit.commit().await.expect("committed");
    samples.clock().advance(CLOCK_SKEW + Duration::from_secs(1));
    replay
}

/// Delivers for a minute; answers how far the replay came.
async fn delivered(with_replays: bool) -> (Status, u64) {
    let (storage, samples) = (MemoryWebhooks::new(), Samples::new(1));
    let replay = replayed(&storage, &samples).await;
    let mut builder = Deliverer::builder(Arc::new(storage.clone()), Arc::new(FakeSender::new()))
        .clock(Arc::new(samples.clock().clone()))
        .random(Arc::new(SeededRandom::new(9)));
    if with_replays {
        builder = builder.replays(Arc::new(storage.clone()));
    }
    builder.build().run(tokio::time::sleep(Duration::from_mins(1))).await;
    let scope = scope([replay.selection.account]);
    let stored = storage.replays().find(&scope, replay.id).await.expect("found").expect("stored");
    (stored.status(), stored.sent)
}

#[tokio::test(start_paused = true)]
async fn a_deliverer_with_replays_takes_them_to_their_end() {
    assert_eq!(delivered(true).await, (Status::Completed, 3));
}

#[tokio::test(start_paused = true)]
async fn a_deliverer_without_replays_runs_none() {
    assert_eq!(delivered(false).await, (Status::Running, 0));
}
